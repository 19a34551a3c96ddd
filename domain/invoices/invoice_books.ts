/**
 * What becomes of an invoice's money, each with its entry in the ledger.
 *
 * @module
 */
import { bookTaken, type Taken } from "../payments/book_taken.ts";
import type { Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import {
  type Invoice,
  INVOICE_MONEY,
  type InvoiceRefundReason,
} from "./invoice.ts";

/** What was taken for an invoice, as the ledger has it. */
export function takenOf(invoice: Invoice): Taken {
  const { paymentId, totalCents, taxCents, wasSold } = invoice;
  return {
    paymentId,
    grossCents: totalCents,
    vatCents: taxCents,
    revenue: wasSold ? "spotlight_revenue" : null,
  };
}

/**
 * The win of a day, paid: the money is ours, the VAT in it is not.
 *
 * @param entryId of the entry in the books
 */
export function bookWin(
  tx: Transaction,
  invoice: Invoice,
  paymentId: string,
  atMs: number,
  entryId: string = `settlement:${invoice.day}`,
): Invoice {
  const sold: Invoice = {
    ...invoice,
    money: advance(INVOICE_MONEY, invoice.money, "sold"),
    wasSold: true,
    paymentId,
  };
  tx.invoices.save(sold);
  bookTaken(tx, entryId, takenOf(sold), atMs);
  return sold;
}

/** A success that came after its bid had been passed over: it goes back. */
export function bookLatePayment(
  tx: Transaction,
  invoice: Invoice,
  paymentId: string,
  atMs: number,
): Invoice {
  const taken: Invoice = {
    ...invoice,
    money: advance(INVOICE_MONEY, invoice.money, "unearned"),
    wasSold: false,
    paymentId,
  };
  bookTaken(tx, `late_payment:${invoice.id}`, takenOf(taken), atMs);
  return beginRefund(tx, taken, { reason: "late_payment", note: null }, atMs);
}

/** From here on the sweep gives the money back if nobody else does. */
export function beginRefund(
  tx: Transaction,
  invoice: Invoice,
  why: { reason: InvoiceRefundReason; note: string | null },
  atMs: number,
): Invoice {
  const refunding: Invoice = {
    ...invoice,
    money: advance(INVOICE_MONEY, invoice.money, "refunding"),
    refundReason: why.reason,
    refundNote: why.note,
    dueAtMs: atMs,
    refundTries: 0,
    refundRefusals: 0,
    refundTrouble: null,
  };
  tx.invoices.save(refunding);
  return refunding;
}

/** All of it went back, or was to, past us: so somebody has ordered that. */
export function orderedByHand(
  tx: Transaction,
  invoice: Invoice,
  note: string,
  atMs: number,
): Invoice {
  if (invoice.money !== "sold") return invoice;
  return beginRefund(tx, invoice, { reason: "operator", note }, atMs);
}
