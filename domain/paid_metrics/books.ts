import { invariant } from "../invariant.ts";
import { bookEntry, reversed } from "../ledger/book_entry.ts";
import type { Movement } from "../ledger/entry.ts";
import type { LedgerKind } from "../ledger/entry.ts";
import { refundEntryId } from "../ledger/entry_ids.ts";
import { saleMovement, unearnedMovement } from "../ledger/sale.ts";
import type { ProcessorRefund } from "../payments/processor_credit_notes.ts";
import {
  refundedCents,
  type Returned,
  unbookedRefunds,
} from "../payments/returned.ts";
import type { Transaction } from "../ports.ts";
import {
  METRICS_PRICE_CENTS,
  type MetricsPayment,
  type SurplusPayment,
} from "./metrics_payment.ts";
import { returnedOf } from "./returned.ts";

/** What is booked in the same commit. */
type Tx = Pick<Transaction, "ledger">;

/** Books the sale of a report in the commit that records its payment. */
export function bookSale(
  tx: Tx,
  payment: MetricsPayment,
  atMs: number,
): void {
  const { id, intentId } = payment;
  const vatCents = vatOf(payment);
  bookEntry(tx, {
    id: `metrics:${id}`,
    atMs,
    kind: "sale",
    paymentId: intentId,
    movement: saleMovement("metrics_revenue", {
      grossCents: METRICS_PRICE_CENTS,
      vatCents,
    }),
  });
}

/**
 * Books refunds of a report that are not booked yet, each as the processor moved
 * it: the sale backwards, cent for cent once all of it went back.
 *
 * @returns what then went back
 */
export function bookRefunds(
  tx: Tx,
  payment: MetricsPayment,
  found: readonly ProcessorRefund[],
  atMs: number,
): Returned {
  const vatCents = vatOf(payment);
  const vatUpTo = (cents: number) =>
    Math.round(vatCents * cents / METRICS_PRICE_CENTS);
  const what = { atMs, paymentId: payment.intentId };
  return bookEach(tx, returnedOf(payment), found, what, (before, cents) => {
    const vat = vatUpTo(before + cents) - vatUpTo(before);
    return {
      processor_clearing: -cents,
      metrics_revenue: cents - vat,
      vat_payable: vat,
    };
  });
}

/** Books money that the processor took once more for the same purchase. */
export function bookSurplus(
  tx: Tx,
  { intentId, takenCents }: SurplusPayment,
  atMs: number,
): void {
  const kind: LedgerKind = "late_payment";
  const id = `metrics_surplus:${intentId}`;
  const movement = unearnedMovement(takenCents);
  bookEntry(tx, { id, atMs, kind, paymentId: intentId, movement });
}

/** Books refunds of such money that are not booked yet. */
export function bookSurplusRefunds(
  tx: Tx,
  surplus: SurplusPayment,
  found: readonly ProcessorRefund[],
  atMs: number,
): Returned {
  const what = { atMs, paymentId: surplus.intentId };
  return bookEach(
    tx,
    surplus,
    found,
    what,
    (_, cents) => reversed(unearnedMovement(cents)),
  );
}

function bookEach(
  tx: Tx,
  returned: Returned,
  found: readonly ProcessorRefund[],
  what: { atMs: number; paymentId: string | null },
  movementOf: (refundedCents: number, cents: number) => Movement,
): Returned {
  let { refunds } = returned;
  for (const refund of unbookedRefunds(returned, found)) {
    const movement = movementOf(
      refundedCents({ refunds }),
      refund.amountCents,
    );
    bookEntry(tx, {
      ...what,
      id: refundEntryId(refund.id),
      kind: "refund",
      movement,
    });
    refunds = [...refunds, refund];
  }
  const { disputedCents, lostCents } = returned;
  return { refunds, disputedCents, lostCents };
}

function vatOf({ vatCents }: MetricsPayment): number {
  invariant(vatCents !== null, "the VAT of a sale is known when it is booked");
  return vatCents;
}
