import { NOTHING_RETURNED, type Returned } from "../payments/returned.ts";
import type { Invoice } from "./invoice.ts";

/** What rows lack that were written before parts of a payment were followed. */
type AddedSince =
  | keyof Returned
  | "refundTries"
  | "refundRefusals"
  | "refundTrouble";

/** An invoice as any version has written it. */
export type InvoiceAsWritten =
  & Omit<Invoice, AddedSince>
  & Partial<Pick<Invoice, AddedSince>>;

/**
 * An invoice with everything that this version knows of one. Before, money went
 * back whole or not at all, so what became of it says how much that was.
 */
export function completedInvoice(row: InvoiceAsWritten): Invoice {
  if (row.refunds !== undefined) return row as Invoice;
  return {
    ...NOTHING_RETURNED,
    refundTries: 0,
    refundRefusals: 0,
    refundTrouble: null,
    ...row,
    ...wholeOf(row),
  };
}

function wholeOf(
  { id, money, totalCents }: InvoiceAsWritten,
): Partial<Returned> {
  switch (money) {
    case "refunded":
      // Booked under the invoice's id, so no refund of the processor's has it.
      return { refunds: [{ id, amountCents: totalCents }] };
    case "written_off":
      return { lostCents: totalCents };
    default:
      return {};
  }
}
