/**
 * What a partner works out of its payouts while somebody's money goes back: it
 * takes back known amounts of its own at the same time, and asks again.
 */
import { assert } from "@std/assert";
import { DAY_MS } from "../../../domain/day.ts";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { type Month, startOfMonthMs } from "../../../domain/month.ts";
import { advanceCommissions } from "../../../domain/partners/advance_commissions.ts";
import { commissionCents } from "../../../domain/partners/commission.ts";
import { PAYOUT_MIN_CENTS } from "../../../domain/partners/limits.ts";
import { readBalance } from "../../../domain/partners/read_figures.ts";
import { requestPayout } from "../../../domain/partners/request_payout.ts";
import { sendPayouts } from "../../../domain/partners/send_payouts.ts";
import { Refused } from "../../../domain/refusal.ts";
import { type AuctionWorld } from "../../support/auction_world.ts";
import { invoiceOf } from "../../support/invoices.ts";
import { PARTNER_ID, refer } from "../../support/partners.ts";
import { openPayoutWorld } from "../../support/payout_world.ts";
import { byBrowser, saveSession } from "../../support/sessions.ts";

const VICTIM = "acc_victim";
const OWN = "acc_own";
/** Commissions that the partner can take back of its own, to halve what is left. */
const SMALL_CENTS = [2_500, 1_250];

/** Goes to the 5th of a month: what is due is told. */
async function goTo({ services, clock }: AuctionWorld, month: string) {
  clock.set(startOfMonthMs(month as Month) + 4 * DAY_MS);
  await advanceCommissions(services);
}

/** Somebody's invoice is paid. */
async function pay(
  { services, clock }: AuctionWorld,
  accountId: string,
  number: string,
  netCents: number,
): Promise<void> {
  const invoice = invoiceOf(accountId, number, {
    totalCents: netCents,
    taxCents: 0,
    finalizedAtMs: clock.now(),
    paidAtMs: clock.now(),
    commission: { partnerId: PARTNER_ID, countedCents: 0 },
  });
  await services.store.transact((tx) => tx.invoices.save(invoice));
  await advanceCommissions(services);
}

async function takeBack({ services }: AuctionWorld, number: string) {
  await services.store.transact(async (tx) => {
    const invoice = await tx.invoices.find(`in_${number}`);
    assert(invoice !== null);
    tx.invoices.save({ ...invoice, money: "refunding" });
  });
  await advanceCommissions(services);
}

/** All that is paid out now; 0 where the partner is told that it is too little. */
async function payOut({ services }: AuctionWorld): Promise<number> {
  await saveSession(services, PARTNER_ID);
  const asked = { partnerId: PARTNER_ID, by: byBrowser(PARTNER_ID) };
  try {
    const answer = await requestPayout(services, { ...asked, binding: null });
    await sendPayouts(services);
    return answer.value.amount_cents;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return 0;
  }
}

/** What the partner knows of what is withheld of the victim's, cents. */
class Guess {
  least = 0;
  most = Infinity;

  /** A payout came to so much, of what was payable, beside own take-backs. */
  learn(payableCents: number, ownCents: number, paidCents: number): void {
    const left = payableCents - ownCents - paidCents;
    this.least = Math.max(this.least, left - PAYOUT_MIN_CENTS + 1);
    if (paidCents > 0) this.most = Math.min(this.most, left);
  }
}

async function attack(world: AuctionWorld, price: number): Promise<Guess> {
  const { services } = world;
  const payable = async () =>
    (await readBalance(services, PARTNER_ID)).payableCents;
  const guess = new Guess();
  await pay(world, VICTIM, "victim", price);
  await pay(world, OWN, "large", 500_000);
  for (const [nth, cents] of SMALL_CENTS.entries()) {
    await pay(world, OWN, `small${nth}`, cents * 10);
  }
  await goTo(world, "2026-12");
  for (const nth of [1, 2, 3]) await pay(world, OWN, `later${nth}`, 100_000);
  await goTo(world, "2027-01");
  await takeBack(world, "victim");
  guess.learn(await payable(), 0, await payOut(world));
  let ownCents = 0;
  for (const [nth, cents] of SMALL_CENTS.entries()) {
    if (nth === 0) await goTo(world, "2027-02");
    await takeBack(world, `small${nth}`);
    ownCents += cents;
    guess.learn(await payable(), ownCents, await payOut(world));
  }
  return guess;
}

Deno.test("no amount can be derived from payouts, though known ones are taken back beside it", async () => {
  for (const price of [100, 12_340, 98_765, 400_000]) {
    await using day = await openPayoutWorld({ fundsCents: 1_000_000 });
    const { world } = day;
    for (const id of [VICTIM, OWN]) {
      const account = newAccount(id, `${id}@${id.slice(4)}.example`, 0);
      await world.services.store.transact((tx) => tx.accounts.save(account));
      await refer(world.services, id);
    }
    const { least, most } = await attack(world, price);
    const cents = commissionCents(price);
    assert(least <= cents && cents <= most, `${price}: ${least} to ${most}`);
    assert(most < Infinity, "something is told");
    // A commission is a tenth: an amount is known to ten euros at best.
    const widthCents = (most - Math.max(0, least)) * 10;
    assert(widthCents >= 1_000, `${price} is known to ${widthCents} cents`);
  }
});
