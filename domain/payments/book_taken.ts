/**
 * Books money that the processor took, and what went back of it.
 *
 * @module
 */
import { bookEntry, reversed } from "../ledger/book_entry.ts";
import type { LedgerEntry, Movement } from "../ledger/entry.ts";
import { refundEntryId, refundFailureEntryId } from "../ledger/entry_ids.ts";
import {
  type Revenue,
  saleMovement,
  unearnedMovement,
} from "../ledger/sale.ts";
import type { Transaction } from "../ports.ts";
import type { ProcessorRefund } from "./processor_credit_notes.ts";
import { refundedCents, type Returned, unbookedRefunds } from "./returned.ts";

/** What is booked in the same commit. */
type Tx = Pick<Transaction, "ledger">;

/** Money that the processor took by one payment, cents. */
export interface Taken {
  paymentId: LedgerEntry["paymentId"];
  grossCents: number;
  /** VAT contained in it. */
  vatCents: number;
  /** What was sold; null where the money bought nothing, so that it goes back. */
  revenue: Revenue | null;
}

/** Books that money came, in the commit that records the payment. */
export function bookTaken(
  tx: Tx,
  id: string,
  { paymentId, grossCents, vatCents, revenue }: Taken,
  atMs: number,
): void {
  const movement = revenue === null
    ? unearnedMovement(grossCents)
    : saleMovement(revenue, { grossCents, vatCents });
  const kind = revenue === null ? "late_payment" : "sale";
  bookEntry(tx, { id, atMs, kind, paymentId, movement });
}

/**
 * Books refunds that are not booked yet, each by itself as the processor moved
 * it, whoever made it.
 *
 * @returns what the refunds were of, with them: the caller's to save
 */
export function bookRefunds<R extends Returned>(
  tx: Tx,
  taken: Taken,
  before: R,
  found: readonly ProcessorRefund[],
  atMs: number,
): R {
  let { refunds } = before;
  for (const refund of unbookedRefunds(before, found)) {
    bookEntry(tx, {
      id: refundEntryId(refund.id),
      atMs,
      kind: "refund",
      paymentId: taken.paymentId,
      movement: givingBack(taken, { ...before, refunds }, refund),
    });
    refunds = [...refunds, refund];
  }
  return { ...before, refunds };
}

/**
 * Books that a refund came back, once: it is as if it had not been made. One
 * that is not booked yet is booked both ways, as the processor moved it.
 *
 * @returns what the refund was of, without it: the caller's to save
 */
export function bookRefundFailure<R extends Returned>(
  tx: Tx,
  taken: Taken,
  before: R,
  failed: ProcessorRefund,
  atMs: number,
): R {
  const { failedRefunds = [] } = before;
  if (failedRefunds.includes(failed.id)) return before;
  const booked = bookRefunds(tx, taken, before, [failed], atMs);
  const refunds = booked.refunds.filter(({ id }) => id !== failed.id);
  bookEntry(tx, {
    id: refundFailureEntryId(failed.id),
    atMs,
    kind: "refund",
    paymentId: taken.paymentId,
    movement: reversed(givingBack(taken, { ...booked, refunds }, failed)),
  });
  return { ...booked, refunds, failedRefunds: [...failedRefunds, failed.id] };
}

/**
 * What of the money that banks took for good is our loss. Where it was all to be
 * given back, it is none but for what went back besides: how much that is, goes
 * by the amounts alone, in whatever order they are told.
 */
export function lossOf(
  { grossCents, revenue }: Pick<Taken, "grossCents" | "revenue">,
  returned: Pick<Returned, "refunds" | "lostCents">,
): number {
  const { lostCents } = returned;
  if (revenue !== null) return lostCents;
  return Math.max(0, lostCents + refundedCents(returned) - grossCents);
}

/**
 * A part of the taking backwards. What all parts together take back of the VAT
 * is what was in the whole, to the cent.
 *
 * @param before what went back without it
 */
function givingBack(
  taken: Taken,
  before: Pick<Returned, "refunds" | "lostCents">,
  refund: ProcessorRefund,
): Movement {
  const { grossCents, vatCents, revenue } = taken;
  const { amountCents: cents } = refund;
  if (revenue === null) {
    const after = { ...before, refunds: [...before.refunds, refund] };
    const loss = lossOf(taken, after) - lossOf(taken, before);
    return {
      processor_clearing: -cents,
      refunds_due: cents - loss,
      dispute_losses: loss,
    };
  }
  const beforeCents = refundedCents(before);
  const vatUpTo = (part: number) => Math.round(vatCents * part / grossCents);
  const vat = vatUpTo(beforeCents + cents) - vatUpTo(beforeCents);
  return {
    processor_clearing: -cents,
    [revenue]: cents - vat,
    vat_payable: vat,
  };
}
