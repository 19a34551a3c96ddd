/**
 * What becomes of an invoice: finalized, paid, not paid, voided.
 *
 * @module
 */

import { type Call, MAX_CHARGE_CENTS } from "./call.ts";
import { ApiError, invalidRequest } from "./errors.ts";
import { randomText } from "./ids.ts";
import { recompute } from "./invoice_totals.ts";
import type { Invoice, InvoicePayment, PaymentIntent } from "./objects.ts";
import { newPaymentIntent } from "./payment_intent.ts";

/** What the account's invoice numbers begin with. */
const NUMBER_PREFIX = "SIM";

/**
 * Gives a draft its number and opens it for payment. A draft over nothing is
 * paid at once.
 *
 * @throws {ApiError} 400 when it is no draft, or over more than a card takes
 */
export function finalizeInvoice(call: Call, draft: Invoice): Invoice {
  if (draft.status !== "draft") {
    throw invalidRequest(
      "This invoice is already finalized, you can't re-finalize a non-draft " +
        "invoice.",
      { code: "invoice_not_editable" },
    );
  }
  const current = recompute(call, draft);
  if (current.total > MAX_CHARGE_CENTS) throw notFinalized(call, current);
  const token = randomText(call.setting.random, 32);
  const open = call.put("invoice", {
    ...current,
    effective_at: call.now,
    ending_balance: 0,
    invoice_pdf: `${call.setting.baseUrl}/invoice/${draft.id}/${token}/pdf`,
    number: nextNumber(call),
    status: "open",
    status_transitions: {
      ...current.status_transitions,
      finalized_at: call.now,
    },
  });
  call.emit("invoice.finalized", open);
  if (open.total === 0) return markPaid(call, open);
  expectPayment(call, open);
  return open;
}

/** The failure stays in the books, the invoice stays a draft. */
function notFinalized(call: Call, draft: Invoice): ApiError {
  const error = {
    type: "invalid_request_error",
    code: "amount_too_large",
    message: "Amount must be no more than €999,999.99",
  } as const;
  const failed = call.put("invoice", {
    ...draft,
    last_finalization_error: error,
  });
  call.emit("invoice.finalization_failed", failed);
  return new ApiError(400, error, true);
}

/** The intent that is to pay an invoice, with its tie to it. */
export function paymentOf(
  call: Call,
  invoice: Invoice,
): { payment: InvoicePayment; intent: PaymentIntent } | null {
  const [payment] = call.filed("invoice_payment", "invoice", invoice.id);
  if (payment === undefined) return null;
  const intent = call.get("payment_intent", payment.payment.payment_intent);
  return { payment, intent };
}

/**
 * Tells the invoice of an intent, if it has one, how an attempt went. A voided
 * invoice stays void, whatever comes late; only what was taken is written down.
 */
export function settleInvoice(
  call: Call,
  intent: PaymentIntent,
  how: "paid" | "failed" | "waiting",
): void {
  const [payment] = call.filed("invoice_payment", "payment_intent", intent.id);
  if (payment === undefined) return;
  const invoice = call.get("invoice", payment.invoice);
  const attempted = call.put("invoice", {
    ...invoice,
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
  });
  if (how === "paid") return settlePaid(call, attempted, payment, intent);
  if (invoice.status === "void") return;
  if (how === "failed") call.emit("invoice.payment_failed", attempted);
  else call.emit("invoice.payment_action_required", attempted);
}

function settlePaid(
  call: Call,
  invoice: Invoice,
  payment: InvoicePayment,
  intent: PaymentIntent,
): void {
  if (invoice.status === "void") {
    const amount_paid = intent.amount_received;
    const taken = call.put("invoice", { ...invoice, amount_paid });
    call.emit("invoice.updated", taken, invoice);
  } else markPaid(call, invoice);
  const paid = call.put("invoice_payment", {
    ...payment,
    amount_paid: intent.amount_received,
    status: "paid",
    status_transitions: { ...payment.status_transitions, paid_at: call.now },
  });
  call.emit("invoice_payment.paid", paid);
}

/** Voids an invoice; its intent has been canceled before, if it could be. */
export function markVoid(call: Call, invoice: Invoice): Invoice {
  const [payment] = call.filed("invoice_payment", "invoice", invoice.id);
  if (payment !== undefined) {
    call.put("invoice_payment", {
      ...payment,
      status: "canceled",
      status_transitions: {
        ...payment.status_transitions,
        canceled_at: call.now,
      },
    });
  }
  const voided = call.put("invoice", {
    ...invoice,
    status: "void",
    status_transitions: { ...invoice.status_transitions, voided_at: call.now },
  });
  call.emit("invoice.voided", voided);
  return voided;
}

/** The refusal of a payment that waits for the payer. */
export function actionRequired(intent: PaymentIntent): ApiError {
  return new ApiError(402, {
    type: "card_error",
    code: "invoice_payment_intent_requires_action",
    message: "This payment requires additional user action before it can be " +
      "completed successfully.",
    payment_intent: intent,
  }, true);
}

function markPaid(call: Call, invoice: Invoice): Invoice {
  const paid = call.put("invoice", {
    ...invoice,
    amount_paid: invoice.total,
    amount_remaining: 0,
    attempted: true,
    status: "paid",
    status_transitions: { ...invoice.status_transitions, paid_at: call.now },
  });
  call.emit("invoice.paid", paid);
  call.emit("invoice.payment_succeeded", paid);
  return paid;
}

function expectPayment(call: Call, invoice: Invoice): void {
  const intent = newPaymentIntent(call, {
    amount: invoice.total,
    customer: invoice.customer,
    description: invoice.description ?? `Payment for Invoice`,
  });
  call.put("invoice_payment", {
    id: call.newId("inpay"),
    object: "invoice_payment",
    amount_paid: null,
    amount_requested: invoice.total,
    created: call.now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: "payment_intent", payment_intent: intent.id },
    status: "open",
    status_transitions: { canceled_at: null, paid_at: null },
  });
}

function nextNumber(call: Call): string {
  const sequence = call.change.next("invoice_number");
  return `${NUMBER_PREFIX}-${String(sequence).padStart(4, "0")}`;
}
