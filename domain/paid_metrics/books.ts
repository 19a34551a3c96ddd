import { invariant } from "../invariant.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import { METRICS_PRICE_CENTS, type MetricsPayment } from "./metrics_payment.ts";

/** The sale of a report: the VAT contained in the price is not ours. */
export function saleEntry(payment: MetricsPayment, atMs: number): LedgerEntry {
  return entryOf(payment, "metrics", atMs, 1);
}

/** The refund of a report: the sale's entry backwards, cent for cent. */
export function refundEntry(
  payment: MetricsPayment,
  atMs: number,
): LedgerEntry {
  return entryOf(payment, "metrics_refund", atMs, -1);
}

function entryOf(
  { id, vatCents }: MetricsPayment,
  what: "metrics" | "metrics_refund",
  atMs: number,
  sign: 1 | -1,
): LedgerEntry {
  invariant(vatCents !== null, "the VAT of a sale is known when it is booked");
  const netCents = METRICS_PRICE_CENTS - vatCents;
  const lines: LedgerEntry["lines"] = [
    { account: "processor_clearing", amountCents: sign * METRICS_PRICE_CENTS },
    { account: "metrics_revenue", amountCents: -sign * netCents },
    { account: "vat_payable", amountCents: -sign * vatCents },
  ];
  return {
    id: `${what}:${id}`,
    atMs,
    reason: `${what}:${id}`,
    lines: lines.filter(({ amountCents }) => amountCents !== 0),
  };
}
