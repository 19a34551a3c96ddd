import {
  type AdvertiserSite,
  type SignedInBrowser,
} from "./advertiser_site.ts";
import { type Agent, BID_DAY } from "./bidding_world.ts";
import { ledTo } from "./led_to.ts";

/** What a person typed. */
export type Typed = Partial<
  Record<"day" | "amount" | "ad" | "card" | "token", string>
>;

/** An advertiser who may bid, with a browser and an agent. */
export async function bidder(site: AdvertiserSite, name = "ada") {
  const agent = await site.world.agent(name);
  const browser = await site.browser(name);
  const typed = (changes: Typed = {}) =>
    new URLSearchParams({
      day: BID_DAY,
      amount: "12.50",
      ad: agent.adId,
      card: agent.cardId,
      ...changes,
    });
  return { agent, browser, typed };
}

/** A page's text, with single spaces, and what its hidden fields hold. */
export async function pageOf(answer: Response) {
  const html = await answer.text();
  const text = html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
  const hidden = new URLSearchParams(
    [...html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
      .map(([, name = "", value = ""]) => [name, value]),
  );
  return { status: answer.status, html, text, hidden };
}

/** The bid that stands: its amount, its agent and its card; null for none. */
export async function standingBid(site: AdvertiserSite, { account }: Agent) {
  const bid = await site.services.store.bids.find(BID_DAY, account.id);
  return bid && [bid.amountCents, bid.grantId, bid.paymentMethodId];
}

/** Asks for the page of review, as the form does. */
export async function reviewed(
  browser: SignedInBrowser,
  typed: URLSearchParams,
) {
  return await pageOf(await browser.post("/bids/review", typed));
}

/** Places what a page of review holds; answers the status and where it leads. */
export async function placed(browser: SignedInBrowser, form: URLSearchParams) {
  const answer = await browser.post("/bids/place", form);
  await answer.body?.cancel();
  return [answer.status, ledTo(answer)];
}
