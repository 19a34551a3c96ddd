/**
 * What becomes of an invoice's money, each with its entry in the books.
 *
 * @module
 */
import { invariant } from "../invariant.ts";
import { bookEntry, reversed } from "../ledger/book_entry.ts";
import type { Movement } from "../ledger/entry.ts";
import { refundEntryId } from "../ledger/entry_ids.ts";
import { saleMovement, unearnedMovement } from "../ledger/sale.ts";
import type { ProcessorRefund } from "../payments/processor_credit_notes.ts";
import { refundedCents, unbookedRefunds } from "../payments/returned.ts";
import type { Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import {
  type Invoice,
  INVOICE_MONEY,
  type InvoiceRefundReason,
} from "./invoice.ts";

/** The win of a day, paid: the money is ours, the VAT in it is not. */
export function bookWin(
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
    refundTries: 0,
    refundRefusals: 0,
    refundTrouble: null,
  };
  tx.invoices.save(refunding);
  return refunding;
}

/**
 * Books refunds that are not booked yet, each by itself as the processor moved
 * it, whoever made it. The invoice is the caller's to save.
 */
export function bookInvoiceRefunds(
  tx: Transaction,
  invoice: Invoice,
  found: readonly ProcessorRefund[],
  atMs: number,
): Invoice {
  let taken = invoice;
  for (const refund of unbookedRefunds(invoice, found)) {
    bookEntry(tx, {
      id: refundEntryId(refund.id),
      atMs,
      kind: "refund",
      paymentId: invoice.paymentId,
      movement: givingBack(taken, refund.amountCents),
    });
    taken = { ...taken, refunds: [...taken.refunds, refund] };
  }
  return taken;
}

/**
 * A part of the taking backwards. What all parts together take back of the VAT
 * is what was in the whole, to the cent.
 */
function givingBack(invoice: Invoice, cents: number): Movement {
  const { wasSold, taxCents, totalCents } = invoice;
  if (!wasSold) return reversed(unearnedMovement(cents));
  const vatUpTo = (part: number) => Math.round(taxCents * part / totalCents);
  const before = refundedCents(invoice);
  const vatCents = vatUpTo(before + cents) - vatUpTo(before);
  return {
    processor_clearing: -cents,
    spotlight_revenue: cents - vatCents,
    vat_payable: vatCents,
  };
}

/** The books' view of the money's coming. */
function takingOf(invoice: Invoice): Movement {
  const { totalCents: grossCents, taxCents: vatCents, wasSold } = invoice;
  invariant(invoice.paymentId !== null, "the payment of taken money is known");
  return wasSold
    ? saleMovement("spotlight_revenue", { grossCents, vatCents })
    : unearnedMovement(grossCents);
}
