/**
 * Credit notes: corrections of paid invoices, numbered after them.
 *
 * @module
 */

import type { Call } from "./call.ts";
import { invalidRequest } from "./errors.ts";
import { randomText } from "./ids.ts";
import { paymentOf } from "./invoice_settlement.ts";
import { sum, taxIn } from "./invoice_totals.ts";
import type {
  Charge,
  CreditNote,
  CreditNoteLine,
  CreditNoteReason,
  Invoice,
  Metadata,
  Refund,
  Tax,
} from "./objects.ts";
import { refundCharge } from "./refund.ts";

/** What the path of every printed credit note begins with. */
export const CREDIT_NOTE_PREFIX = "/credit_note/";

/** A correction to be made; the parts of the money add up to the amount. */
export interface NewCreditNote {
  amount: number;
  /** To be given back now. */
  refundAmount: number;
  /** Given back by other ways. */
  outOfBandAmount: number;
  /** Given back already: refunds and how much of each. */
  linked: { refund: string; amount: number | null }[];
  memo: string | null;
  metadata: Metadata;
  reason: CreditNoteReason | null;
}

/**
 * Corrects an invoice and gives the money back as asked.
 *
 * @throws {ApiError} 400 when the invoice is not paid, the parts do not add up
 * or more would be corrected than was paid
 */
export function createCreditNote(
  call: Call,
  invoice: Invoice,
  order: NewCreditNote,
): CreditNote {
  const charge = chargeOf(call, invoice);
  const linked = order.linked.map((link) => linkOf(call, charge, link));
  checkAmounts(call, invoice, charge, { order, linked });
  const made = order.refundAmount === 0
    ? []
    : [refundCharge(call, charge, order.refundAmount)];
  const refunds = [...made.map(linkWhole), ...linked];
  const note = call.put(
    "credit_note",
    newNote(call, invoice, order, refunds),
  );
  const corrected = call.put("invoice", {
    ...invoice,
    post_payment_credit_notes_amount: invoice.post_payment_credit_notes_amount +
      order.amount,
  });
  call.emit("credit_note.created", note);
  call.emit("invoice.updated", corrected, invoice);
  return note;
}

type Link = CreditNote["refunds"][number];

function linkWhole({ id, amount }: Refund): Link {
  return {
    amount_refunded: amount,
    payment_record_refund: null,
    refund: id,
    type: "refund",
  };
}

/** A refund may be named by one credit note alone. */
function linkOf(
  call: Call,
  charge: Charge,
  { refund: id, amount }: NewCreditNote["linked"][number],
): Link {
  const refund = call.get("refund", id, "refunds[0][refund]");
  const isFree = refund.charge === charge.id && !linkedRefunds(call).has(id);
  const refunded = amount ?? refund.amount;
  if (isFree && refunded <= refund.amount) {
    return { ...linkWhole(refund), amount_refunded: refunded };
  }
  throw invalidRequest(
    `The refund ${id} is not one of this invoice's, has a credit note ` +
      "already, or is smaller than that.",
    { param: "refunds" },
  );
}

function linkedRefunds(call: Call): Set<string> {
  const notes = call.setting.books.tables.credit_note.values();
  return new Set(
    [...notes].flatMap(({ refunds }) => refunds.map(({ refund }) => refund)),
  );
}

function chargeOf(call: Call, invoice: Invoice): Charge {
  if (invoice.status === "open") {
    throw invalidRequest(
      "The simulator corrects paid invoices only; void this one instead.",
      { param: "invoice" },
    );
  }
  const id = paymentOf(call, invoice)?.intent.latest_charge ?? null;
  if (invoice.status === "paid" && id !== null) return call.get("charge", id);
  throw invalidRequest(
    "You can only create a credit note for an open or paid invoice with a " +
      `payment. This invoice is ${invoice.status}.`,
    { param: "invoice" },
  );
}

function checkAmounts(
  call: Call,
  invoice: Invoice,
  charge: Charge,
  { order, linked }: { order: NewCreditNote; linked: Link[] },
): void {
  const { amount, refundAmount, outOfBandAmount } = order;
  const linkedAmount = sum(linked.map((link) => link.amount_refunded));
  if (amount !== refundAmount + outOfBandAmount + linkedAmount) {
    throw invalidRequest(
      "The sum of refunds, credit amount and out of band amount must equal " +
        `the amount of the credit note (${amount}).`,
      { param: "amount" },
    );
  }
  const notes = call.filed("credit_note", "invoice", invoice.id);
  const noted = sum(
    notes.flatMap(({ refunds }) => refunds.map((link) => link.amount_refunded)),
  );
  // Refunds that no note names lower what may still be credited (Stripe API).
  const loose = charge.amount_refunded - noted - linkedAmount;
  const left = invoice.amount_paid - loose -
    invoice.post_payment_credit_notes_amount;
  if (amount <= left) return;
  throw invalidRequest(
    `The credit note amount (${amount}) is greater than the maximum ` +
      `creditable amount (${left}).`,
    { param: "amount" },
  );
}

function newNote(
  call: Call,
  invoice: Invoice,
  { amount, outOfBandAmount, memo, metadata, reason }: NewCreditNote,
  refunds: Link[],
): CreditNote {
  const id = call.newId("cn");
  const taxes = taxesOf(invoice, amount);
  const inclusive = taxIn(taxes, "inclusive");
  const subtotal = amount - taxIn(taxes, "exclusive");
  const token = randomText(call.setting.random, 32);
  return {
    id,
    object: "credit_note",
    amount,
    amount_shipping: 0,
    created: call.now,
    currency: invoice.currency,
    customer: invoice.customer,
    customer_account: null,
    customer_balance_transaction: null,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: call.now,
    invoice: invoice.id,
    lines: {
      object: "list",
      data: [lineOf(call, invoice, amount, taxes)],
      has_more: false,
      url: `/v1/credit_notes/${id}/lines`,
    },
    livemode: false,
    memo,
    metadata,
    number: nextNumber(call, invoice),
    out_of_band_amount: outOfBandAmount === 0 ? null : outOfBandAmount,
    pdf: `${call.setting.baseUrl}${CREDIT_NOTE_PREFIX}${id}/${token}/pdf`,
    post_payment_amount: amount,
    pre_payment_amount: 0,
    pretax_credit_amounts: [],
    reason,
    refunds,
    shipping_cost: null,
    status: "issued",
    subtotal,
    subtotal_excluding_tax: subtotal - inclusive,
    total: amount,
    total_excluding_tax: subtotal - inclusive,
    total_taxes: taxes,
    type: "post_payment",
    voided_at: null,
  };
}

/** A series of its own for each invoice, which names the invoice's number. */
function nextNumber(call: Call, { id, number }: Invoice): string {
  const before = call.filed("credit_note", "invoice", id).length;
  return `${number}-CN-${String(before + 1).padStart(2, "0")}`;
}

/** Each tax in proportion; what all notes correct never exceeds the tax. */
function taxesOf(invoice: Invoice, amount: number): Tax[] {
  const before = invoice.post_payment_credit_notes_amount;
  const share = (whole: number) => {
    const upTo = (part: number) => Math.round(whole * part / invoice.total);
    return upTo(before + amount) - upTo(before);
  };
  return invoice.total_taxes.map((tax) => ({
    ...tax,
    amount: share(tax.amount),
    taxable_amount: share(tax.taxable_amount),
  }));
}

function lineOf(
  call: Call,
  { number }: Invoice,
  amount: number,
  taxes: Tax[],
): CreditNoteLine {
  const net = amount - taxIn(taxes, "exclusive");
  return {
    id: call.newId("cnli"),
    object: "credit_note_line_item",
    amount: net,
    description: `Correction of invoice ${number}`,
    discount_amount: 0,
    discount_amounts: [],
    livemode: false,
    metadata: {},
    pretax_credit_amounts: [],
    quantity: 1,
    tax_rates: [],
    taxes,
    type: "custom_line_item",
    unit_amount: net,
    unit_amount_decimal: String(net),
  };
}
