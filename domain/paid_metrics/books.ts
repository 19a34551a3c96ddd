import { invariant } from "../invariant.ts";
import { bookEntry, type Movement, reversed } from "../ledger/book_entry.ts";
import type { LedgerKind } from "../ledger/entry.ts";
import { saleMovement } from "../ledger/sale.ts";
import type { Transaction } from "../ports.ts";
import { METRICS_PRICE_CENTS, type MetricsPayment } from "./metrics_payment.ts";

/** Books the sale of a report in the commit that records its payment. */
export function bookSale(
  tx: Pick<Transaction, "ledger">,
  payment: MetricsPayment,
  atMs: number,
): void {
  book(tx, payment, { id: "metrics", kind: "sale", atMs }, saleOf(payment));
}

/** Books the refund of a report: the sale backwards, cent for cent. */
export function bookRefund(
  tx: Pick<Transaction, "ledger">,
  payment: MetricsPayment,
  atMs: number,
): void {
  book(
    tx,
    payment,
    { id: "metrics_refund", kind: "refund", atMs },
    reversed(saleOf(payment)),
  );
}

function saleOf({ vatCents }: MetricsPayment): Movement {
  invariant(vatCents !== null, "the VAT of a sale is known when it is booked");
  return saleMovement("metrics_revenue", {
    grossCents: METRICS_PRICE_CENTS,
    vatCents,
  });
}

function book(
  tx: Pick<Transaction, "ledger">,
  { id, intentId }: MetricsPayment,
  what: { id: string; kind: LedgerKind; atMs: number },
  movement: Movement,
): void {
  bookEntry(tx, {
    ...what,
    id: `${what.id}:${id}`,
    paymentId: intentId,
    movement,
  });
}
