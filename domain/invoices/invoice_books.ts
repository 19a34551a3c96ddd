/**
 * What becomes of an invoice's money, each with its entry in the books.
 *
 * @module
 */
import { invariant } from "../invariant.ts";
import { bookEntry, type Movement, reversed } from "../ledger/book_entry.ts";
import { saleMovement, unearnedMovement } from "../ledger/sale.ts";
import type { Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import {
  type Invoice,
  INVOICE_MONEY,
  type InvoiceCreditNote,
  type InvoiceRefundReason,
} from "./invoice.ts";

/** The win of a day, paid: the money is ours, the VAT in it is not. */
export function sell(
  tx: Transaction,
  invoice: Invoice,
  paymentId: string,
  atMs: number,
): Invoice {
  const sold: Invoice = {
    ...invoice,
    money: advance(INVOICE_MONEY, invoice.money, "sold"),
    wasSold: true,
    paymentId,
  };
  tx.invoices.save(sold);
  bookEntry(tx, {
    id: `settlement:${invoice.day}`,
    atMs,
    kind: "sale",
    paymentId,
    movement: takingOf(sold),
  });
  return sold;
}

/** A success that came after its bid had been passed over: it goes back. */
export function takeLate(
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
  bookEntry(tx, {
    id: `late_payment:${invoice.id}`,
    atMs,
    kind: "late_payment",
    paymentId,
    movement: takingOf(taken),
  });
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
  };
  tx.invoices.save(refunding);
  return refunding;
}

/** The money is back where it came from. */
export function recordRefund(
  tx: Transaction,
  invoice: Invoice,
  note: InvoiceCreditNote | null,
  atMs: number,
): Invoice {
  const refunded: Invoice = {
    ...invoice,
    money: advance(INVOICE_MONEY, invoice.money, "refunded"),
    creditNotes: note === null ? invoice.creditNotes : withNote(invoice, note),
    leaseUntilMs: atMs,
  };
  tx.invoices.save(refunded);
  bookEntry(tx, {
    id: `refund:${invoice.id}`,
    atMs,
    kind: "refund",
    paymentId: invoice.paymentId,
    movement: reversed(takingOf(invoice)),
  });
  return refunded;
}

/** The books' view of the money's coming. */
function takingOf(invoice: Invoice): Movement {
  const { totalCents: grossCents, taxCents: vatCents, wasSold } = invoice;
  invariant(invoice.paymentId !== null, "the payment of taken money is known");
  return wasSold
    ? saleMovement("spotlight_revenue", { grossCents, vatCents })
    : unearnedMovement(grossCents);
}

function withNote(
  { creditNotes }: Invoice,
  note: InvoiceCreditNote,
): InvoiceCreditNote[] {
  return [...creditNotes.filter(({ id }) => id !== note.id), note];
}
