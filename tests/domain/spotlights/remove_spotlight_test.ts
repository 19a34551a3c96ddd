import { assertEquals, assertStringIncludes } from "@std/assert";
import { eraseAccount } from "../../../domain/privacy/erase_account.ts";
import { removeSpotlight } from "../../../domain/spotlights/remove_spotlight.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { sellDay } from "../../support/restored_world.ts";

const REASON = "A court has forbidden <the claim>";
const ORDER = { day: AUCTION_DAY, reason: REASON };

async function openSold(): Promise<AuctionWorld & { accountId: string }> {
  const world = await openAuctionWorld();
  const ada = await world.advertiser("ada");
  await world.bid(ada, 5_000);
  await sellDay(world);
  return Object.assign(world, { accountId: ada.account.id });
}

async function mailsOf({ services }: AuctionWorld) {
  const mails = await services.store.listMails({ limit: 100 });
  return mails.filter(({ kind }) => kind === "spotlight_removed");
}

Deno.test("the owner of a Spotlight that is removed is mailed once, with the reason and whom to ask", async () => {
  await using world = await openSold();
  const { services, accountId } = world;
  const account = await services.store.accounts.find(accountId);
  for (let nth = 0; nth < 2; nth++) await removeSpotlight(services, ORDER);
  const [mail, ...more] = await mailsOf(world);
  assertEquals(more, []);
  assertEquals(mail?.to, account?.email);
  const { baseUrl, seller } = services.settings;
  for (
    const part of [
      REASON,
      AUCTION_DAY,
      seller.email,
      `${baseUrl}/reports/${AUCTION_DAY}`,
    ]
  ) assertStringIncludes(mail?.text ?? "", part);
});

Deno.test("a process that dies at any commit of a removal leaves both it and its mail, or neither", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openSold();
    const dying = world.another();
    dying.kv.crashAt(point);
    await removeSpotlight(dying.services, ORDER).catch((error) => {
      if (!isCrash(error)) throw error;
    });
    if (!dying.kv.dead) return false;
    const { store } = world.services;
    const found = await store.spotlights.find(AUCTION_DAY);
    const mails = await store.listMails({ limit: 100 });
    assertEquals(
      mails.some(({ kind }) => kind === "spotlight_removed"),
      found?.removedAtMs !== null,
    );
    return true;
  });
  assertEquals(points > 0, true);
});

Deno.test("nobody is mailed of a removed Spotlight whose account is erased", async () => {
  await using world = await openSold();
  const { services, accountId } = world;
  await eraseAccount(services, { accountId, isRepeated: true });
  await removeSpotlight(services, ORDER);
  assertEquals(await mailsOf(world), []);
});
