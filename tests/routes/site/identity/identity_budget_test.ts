/** One person with free accounts keeps nobody from a check of identity. */
import { assert, assertEquals } from "@std/assert";
import {
  ALL_IDENTITY_CHECKS,
  CARD_IDENTITY_CHECKS,
  REPEATED_IDENTITY_CHECKS,
} from "../../../../domain/rate_limit/policy.ts";
import {
  type BillingSite,
  openBillingSite,
} from "../../../support/billing_site.ts";
import { giveCard, identityReady } from "../../../support/identity_ready.ts";

/** Begins a check for a new account; the answer's status. */
async function begin(
  site: BillingSite,
  name: string,
  { vatId = "DE123456789", card, from }: {
    vatId?: string;
    card: string;
    from: string;
  },
): Promise<number> {
  const browser = await site.browser(name, identityReady(vatId));
  await giveCard(site.services, `acc_${name}`, card);
  const answer = await browser.post("/identity/start", "", { from });
  await answer.body?.cancel();
  return answer.status;
}

/** Somebody who has nothing to do with the others. */
const newcomer = {
  vatId: "DE999999999",
  card: "newcomer",
  from: "203.0.113.9",
};

/** From eight /48s in turn, each of their /64s by itself. */
const inEightSites = (nth: number) =>
  `2001:db8:${nth % 8}:${nth.toString(16)}00::1`;

async function drain(
  { limiter }: BillingSite,
  id: string,
  policy: typeof ALL_IDENTITY_CHECKS,
  left: number,
): Promise<void> {
  for (let nth = left; nth < policy.capacity; nth++) {
    assert((await limiter.takeAll([{ id, policy }], "")).admitted);
  }
}

Deno.test("one card begins five checks a day under however many accounts, and leaves the others to everybody", async () => {
  await using site = await openBillingSite();
  await drain(site, "identity_checks:all", ALL_IDENTITY_CHECKS, 10);
  const statuses: number[] = [];
  for (let nth = 0; nth < 12; nth++) {
    const from = inEightSites(nth);
    statuses.push(await begin(site, `free${nth}`, { card: "one", from }));
  }
  const begun = statuses.filter((status) => status === 303);
  assertEquals(begun.length, CARD_IDENTITY_CHECKS.capacity);
  assertEquals(await begin(site, "newcomer", newcomer), 303);
});

Deno.test("checks with ever other cards under one VAT id, or ever other ids with one card, use up no more than repeats have", async () => {
  await using site = await openBillingSite();
  const { capacity } = REPEATED_IDENTITY_CHECKS;
  await drain(site, "identity_checks:repeated", REPEATED_IDENTITY_CHECKS, 2);
  await drain(site, "identity_checks:all", ALL_IDENTITY_CHECKS, capacity);
  const oneId: number[] = [];
  const oneCard: number[] = [];
  for (let nth = 0; nth < 4; nth++) {
    const from = inEightSites(nth);
    oneId.push(await begin(site, `id${nth}`, { card: `card${nth}`, from }));
    const vatId = `DE10000000${nth}`;
    oneCard.push(await begin(site, `of${nth}`, { vatId, card: "one", from }));
  }
  assertEquals(oneId, [303, 303, 429, 429]);
  assertEquals(oneCard, [303, 303, 429, 429]);
  assertEquals(await begin(site, "newcomer", newcomer), 303);
});

Deno.test("who begins checks under another company's VAT id does not keep it from its own", async () => {
  await using site = await openBillingSite();
  const { vatId } = newcomer;
  for (let nth = 0; nth < 12; nth++) {
    const from = inEightSites(nth);
    const card = `card${nth % 3}`;
    await begin(site, `rival${nth}`, { vatId, card, from });
  }
  assertEquals(await begin(site, "newcomer", newcomer), 303);
});
