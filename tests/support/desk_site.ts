import { type SignedInBrowser, siteOver } from "./advertiser_site.ts";
import {
  type AuctionWorld,
  type AuctionWorldOptions,
  openAuctionWorld,
} from "./auction_world.ts";

/** An operator's browser over a whole auction day. */
export interface DeskSite extends AsyncDisposable {
  world: AuctionWorld;
  site: ReturnType<typeof siteOver>;
  desk: SignedInBrowser;
}

/** Opens a day, its processor and an operator's browser. */
export async function openDeskSite(
  options: AuctionWorldOptions = {},
): Promise<DeskSite> {
  const world = await openAuctionWorld(options);
  const site = siteOver(world.services, world.testStore);
  const email = "operator@example.com";
  return {
    world,
    site,
    desk: await site.browser("operator", { email }),
    async [Symbol.asyncDispose]() {
      await site.limiter.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** A page of the desk as text, without its markup. */
export async function deskText(
  desk: SignedInBrowser,
  path: string,
): Promise<string> {
  const html = await (await desk.get(path)).text();
  const [, main = ""] = /<main id="main">(.*)<\/main>/s.exec(html) ?? [];
  return main.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ").trim();
}
