/**
 * What payouts do to a partner's balance, as functions of both alone; the verbs
 * save what comes of them in one commit.
 *
 * @module
 */
import { invariant } from "../invariant.ts";
import { laterMonth } from "../month.ts";
import { advance } from "../state_machine.ts";
import { PAYOUT_MIN_CENTS } from "./limits.ts";
import { type PartnerBalance, withheldCents } from "./partner_balance.ts";
import type { Partner } from "./partner.ts";
import { type Payout, PAYOUT_STATES, type PayoutState } from "./payout.ts";

/**
 * The smallest payout, cents. Of a partnership that ended nothing more may come:
 * whatever is payable is paid.
 */
export function leastPayoutCents(
  partner: Pick<Partner, "state"> | null,
): number {
  return partner?.state === "ended" ? 1 : PAYOUT_MIN_CENTS;
}

/**
 * What a payout would come to, cents: below {@linkcode leastPayoutCents} there
 * is none. While something is withheld only whole steps are paid, so that nobody
 * can tell from a payout how much was taken back of which invoice.
 */
export function payoutCents(balance: PartnerBalance, openCents = 0): number {
  const withheld = withheldCents(balance);
  const cents = balance.payableCents + openCents - withheld;
  if (withheld === 0) return cents;
  return Math.floor(cents / PAYOUT_MIN_CENTS) * PAYOUT_MIN_CENTS;
}

/** A balance and the payout that changed with it. */
export interface PaidOut {
  balance: PartnerBalance;
  payout: Payout;
}

/** Begins a payout of what is payable. */
export function withPayout(
  balance: PartnerBalance,
  payout: Payout,
  leastCents = PAYOUT_MIN_CENTS,
): PartnerBalance {
  const { id, amountCents } = payout;
  invariant(balance.openPayoutId === null, "one payout is open at a time");
  invariant(amountCents >= leastCents, "a payout has the least amount");
  return { ...withReserved(balance, payout), openPayoutId: id };
}

/**
 * Takes what a payout is of out of what is payable, which a payout that was lost
 * with the store may leave below zero. One that is open beside it stays so.
 */
export function withReserved(
  balance: PartnerBalance,
  { amountCents, throughMonth }: Pick<Payout, "amountCents" | "throughMonth">,
): PartnerBalance {
  return {
    ...balance,
    payableCents: balance.payableCents - amountCents,
    requestedCents: balance.requestedCents + amountCents,
    requestedThrough: laterMonth(throughMonth, balance.requestedThrough),
  };
}

/**
 * The payout as it goes to the processor: what was taken back since it was asked
 * for is left out, and what is left below the least amount is not paid at all.
 * From here on its amount stays, until the processor says no.
 */
export function beginPayout(
  { balance, payout }: PaidOut,
  leastCents = PAYOUT_MIN_CENTS,
): PaidOut {
  const payable = payoutCents(balance, payout.amountCents);
  const amountCents = Math.min(payout.amountCents, payable);
  if (amountCents < leastCents) {
    return withoutPayout({ balance, payout }, "canceled");
  }
  return withAmount({ balance, payout: sending(payout) }, amountCents);
}

/** Nothing was sent for certain: it is judged anew when it begins again. */
export function unsent(payout: Payout): Payout {
  const state = advance(PAYOUT_STATES, payout.state, "requested");
  return { ...payout, state };
}

/** The payout as its transfer turns out to be, whoever made that. */
export function withTransfer(
  { balance, payout }: PaidOut,
  amountCents: number,
): PaidOut {
  const begun = payout.state === "requested" ? sending(payout) : payout;
  return withAmount({ balance, payout: begun }, amountCents);
}

function sending(payout: Payout): Payout {
  return { ...payout, state: advance(PAYOUT_STATES, payout.state, "sending") };
}

/** What a payout is short of is payable again. */
function withAmount(
  { balance, payout }: PaidOut,
  amountCents: number,
): PaidOut {
  const lessCents = payout.amountCents - amountCents;
  return {
    balance: {
      ...balance,
      payableCents: balance.payableCents + lessCents,
      requestedCents: balance.requestedCents - lessCents,
    },
    payout: { ...payout, amountCents },
  };
}

/** The transfer was made. Another payout that is open stays so. */
export function withPaidPayout({ balance, payout }: PaidOut): PaidOut {
  const { id, amountCents, throughMonth } = payout;
  const { openPayoutId } = balance;
  return {
    balance: {
      ...balance,
      requestedCents: balance.requestedCents - amountCents,
      paidCents: balance.paidCents + amountCents,
      paidThrough: laterMonth(throughMonth, balance.paidThrough),
      openPayoutId: openPayoutId === id ? null : openPayoutId,
    },
    payout: { ...payout, state: advance(PAYOUT_STATES, payout.state, "paid") },
  };
}

/** No money left us: what was asked for is payable again. */
export function withoutPayout(
  { balance, payout }: PaidOut,
  state: Extract<PayoutState, "failed" | "canceled">,
): PaidOut {
  const { amountCents } = payout;
  return {
    balance: {
      ...balance,
      payableCents: balance.payableCents + amountCents,
      requestedCents: balance.requestedCents - amountCents,
      requestedThrough: balance.paidThrough,
      openPayoutId: null,
    },
    payout: { ...payout, state: advance(PAYOUT_STATES, payout.state, state) },
  };
}

/** So much of a payout came back, in all: it is payable again. */
export function withReturnedPayout(
  { balance, payout }: PaidOut,
  returnedCents: number,
): PaidOut {
  const moreCents = returnedCents - payout.returnedCents;
  invariant(
    moreCents >= 0 && returnedCents <= payout.amountCents,
    "no more comes back than was paid",
  );
  const isWhole = returnedCents === payout.amountCents &&
    payout.state === "paid";
  const isLast = balance.paidThrough === payout.throughMonth &&
    balance.openPayoutId === null;
  const through = isWhole && isLast
    ? { paidThrough: payout.afterMonth, requestedThrough: payout.afterMonth }
    : {};
  return {
    balance: {
      ...balance,
      payableCents: balance.payableCents + moreCents,
      paidCents: balance.paidCents - moreCents,
      ...through,
    },
    payout: {
      ...payout,
      returnedCents,
      ...isWhole &&
        { state: advance(PAYOUT_STATES, payout.state, "returned") },
    },
  };
}
