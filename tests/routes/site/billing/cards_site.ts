/**
 * Companies with cards, and what is done with them at `/billing`.
 *
 * @module
 */
import { placeBid } from "../../../../domain/bidding/place_bid.ts";
import { readCards } from "../../../../domain/cards/change_cards.ts";
import type { SignedInBrowser } from "../../../support/advertiser_site.ts";
import { BID_DAY } from "../../../support/bidding_world.ts";
import type { BillingSite } from "../../../support/billing_site.ts";
import { ledTo } from "../../../support/led_to.ts";
import { saveSession } from "../../../support/sessions.ts";

/** The cards of the company, as they are stored. */
export async function cardsOf(
  { services }: BillingSite,
  browser: SignedInBrowser,
) {
  const { cards } = await readCards(services, browser.account.id);
  return cards;
}

/** Posts a form of the page. */
export function act(browser: SignedInBrowser, what: string, card = "") {
  return browser.post(`/billing/${what}`, new URLSearchParams({ card }));
}

/** Where an answer leads. */
export async function locationOf(answer: Response): Promise<string | null> {
  await answer.body?.cancel();
  return ledTo(answer);
}

/** An onboarded company with two cards, the first one charged. */
export async function withCards(site: BillingSite) {
  const browser = await site.onboarded("ada");
  await site.saveCard(browser, "visa");
  site.world.clock.advance(1_000);
  await site.saveCard(browser, "mastercard");
  const cards = await cardsOf(site, browser);
  const idOf = (last4: string) =>
    cards.find((card) => card.last4 === last4)?.id ?? "";
  return { browser, visa: idOf("4242"), mastercard: idOf("4444") };
}

/** A bid of the company that stands on its default card. */
export async function bidByDefault(
  site: BillingSite,
  browser: SignedInBrowser,
): Promise<void> {
  const account = await site.services.store.transact(async (tx) => {
    const found = await tx.accounts.find("acc_ada");
    const ready = {
      ...found ?? browser.account,
      identityStatus: "verified" as const,
    };
    tx.accounts.save(ready);
    tx.creatives.save({
      adId: "ad_1",
      accountId: "acc_ada",
      headline: "A headline",
      description: "What there is to say",
      targetUrl: "https://ada.example/",
      state: "approved",
      createdAtMs: 0,
    });
    return ready;
  });
  await placeBid(site.services, {
    by: { account, session: await saveSession(site.services, account.id) },
    day: BID_DAY,
    adId: "ad_1",
    amountCents: 1_000,
    paymentMethodId: null,
    binding: null,
  });
}
