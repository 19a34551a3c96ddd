import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Account } from "../../../../domain/accounts/account.ts";
import type { Transaction } from "../../../../domain/ports.ts";
import { openAdvertiserSite } from "../../../support/advertiser_site.ts";
import {
  bidder,
  pageOf,
  reviewed,
  standingBid,
} from "../../../support/bids_site.ts";
import type { Agent } from "../../../support/bidding_world.ts";

type Happens = (tx: Transaction, agent: Agent) => Promise<void>;

const account = (changes: Partial<Account>): Happens => async (tx, agent) => {
  const found = await tx.accounts.find(agent.account.id);
  if (found !== null) tx.accounts.save({ ...found, ...changes });
};

const creative =
  (state: "archived" | "rejected"): Happens => async (tx, agent) => {
    const found = await tx.creatives.find(agent.account.id, agent.adId);
    if (found !== null) tx.creatives.save({ ...found, state });
  };

/** What comes between a bid's review and its placing, and the way out of it. */
const CASES: readonly [string, Happens, says: string, way: string][] = [
  [
    "the account is suspended",
    account({ suspendedAtMs: 1 }),
    "Your account is suspended.",
    '<a href="/account">See why, and whom to write to</a>',
  ],
  [
    "the last card is removed",
    account({ defaultPaymentMethodId: null }),
    "No card is saved that could be charged.",
    '<a href="/billing">Save a card</a>',
  ],
  [
    "the card is refused",
    account({ cardRefused: true }),
    "Your card was refused when a bid of yours won.",
    '<a href="/billing">Replace your card</a>',
  ],
  [
    "the VAT id is in doubt",
    account({ vatStatus: "unverified" }),
    "Your company’s VAT id is not verified.",
    '<a href="/onboarding">See how it stands</a>',
  ],
  [
    "the identity is in doubt",
    account({ identityStatus: "unverified" }),
    "Your identity is not verified.",
    '<a href="/identity">Prove your identity</a>',
  ],
  [
    "the ad is archived",
    creative("archived"),
    "The ad that you chose is not approved.",
    '<a href="/creatives">See your ads</a>',
  ],
  [
    "the approval is withdrawn",
    creative("rejected"),
    "The ad that you chose is not approved.",
    '<a href="/creatives">See your ads</a>',
  ],
];

for (const [what, happens, says, way] of CASES) {
  Deno.test(`/bids/place says what to do where ${what} after the review`, async () => {
    await using site = await openAdvertiserSite();
    const { agent, browser, typed } = await bidder(site);
    const { hidden } = await reviewed(browser, typed());
    await site.services.store.transact((tx) => happens(tx, agent));
    const page = await pageOf(await browser.post("/bids/place", hidden));
    assertEquals(page.status, 409);
    assertStringIncludes(page.html, `The bid was not placed. ${says} ${way}`);
    // Words of the agents' API.
    const [, note = ""] = /role="alert"[^>]*>(.*?)<\/p>/.exec(page.html) ?? [];
    assertEquals(/creative(?!s")|ad_|Name a|operator/.exec(note), null, note);
    assertEquals(await standingBid(site, agent), null);
  });
}
