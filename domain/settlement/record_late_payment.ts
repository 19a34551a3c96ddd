import type { EventFact } from "../events/event.ts";
import { bookLatePayment } from "../invoices/invoice_books.ts";
import {
  type InvoiceOwner,
  recordInvoice,
} from "../invoices/record_invoice.ts";
import type { ListedInvoice } from "../payments/processor.ts";
import type { Transaction } from "../ports.ts";

/**
 * Writes down, in the caller's commit, the invoice of a bid that did not win, and
 * that its money goes back, if any came. Harmless to repeat.
 *
 * @returns what its owner is to be told by events; nothing where there was no
 * money, or it was known
 */
export async function recordLatePayment(
  tx: Transaction,
  { found, owner, paymentId }: {
    found: ListedInvoice;
    owner: InvoiceOwner;
    paymentId: string | null;
  },
  nowMs: number,
): Promise<EventFact[]> {
  const invoice = await recordInvoice(tx, found, owner, nowMs);
  if (invoice?.money !== "none" || paymentId === null) return [];
  bookLatePayment(tx, invoice, paymentId, nowMs);
  const { number: invoice_number, day, paidAtMs: atMs } = invoice;
  return [{ type: "invoice.paid", data: { invoice_number, day }, atMs }];
}
