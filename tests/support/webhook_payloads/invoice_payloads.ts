import { ENVELOPE, type Payloads } from "./envelope.ts";
import {
  draftInvoice,
  endedInvoice,
  failedInvoice,
  openInvoice,
  paidInvoice,
  unpaidInvoice,
} from "./invoice_object.ts";

/** Every event of an invoice, in full. */
export function invoicePayloads(id: string): Payloads<`invoice.${string}`> {
  return {
    "invoice.created": {
      ...ENVELOPE,
      type: "invoice.created",
      data: { object: draftInvoice(id) },
    },
    "invoice.deleted": {
      ...ENVELOPE,
      type: "invoice.deleted",
      data: { object: draftInvoice(id) },
    },
    "invoice.finalization_failed": {
      ...ENVELOPE,
      type: "invoice.finalization_failed",
      data: { object: failedInvoice(id) },
    },
    "invoice.finalized": {
      ...ENVELOPE,
      type: "invoice.finalized",
      data: { object: openInvoice(id) },
    },
    "invoice.marked_uncollectible": {
      ...ENVELOPE,
      type: "invoice.marked_uncollectible",
      data: { object: endedInvoice(id, "uncollectible") },
    },
    "invoice.overdue": {
      ...ENVELOPE,
      type: "invoice.overdue",
      data: { object: unpaidInvoice(id) },
    },
    "invoice.overpaid": {
      ...ENVELOPE,
      type: "invoice.overpaid",
      data: { object: { ...paidInvoice(id), amount_overpaid: 100 } },
    },
    "invoice.paid": {
      ...ENVELOPE,
      type: "invoice.paid",
      data: { object: paidInvoice(id) },
    },
    "invoice.payment_action_required": {
      ...ENVELOPE,
      type: "invoice.payment_action_required",
      data: { object: unpaidInvoice(id) },
    },
    "invoice.payment_attempt_required": {
      ...ENVELOPE,
      type: "invoice.payment_attempt_required",
      data: { object: openInvoice(id) },
    },
    "invoice.payment_failed": {
      ...ENVELOPE,
      type: "invoice.payment_failed",
      data: { object: unpaidInvoice(id) },
    },
    "invoice.payment_succeeded": {
      ...ENVELOPE,
      type: "invoice.payment_succeeded",
      data: { object: paidInvoice(id) },
    },
    "invoice.sent": {
      ...ENVELOPE,
      type: "invoice.sent",
      data: { object: openInvoice(id) },
    },
    "invoice.upcoming": {
      ...ENVELOPE,
      type: "invoice.upcoming",
      data: { object: draftInvoice(id) },
    },
    "invoice.updated": {
      ...ENVELOPE,
      type: "invoice.updated",
      data: {
        object: unpaidInvoice(id),
        previous_attributes: { attempt_count: 0, attempted: false },
      },
    },
    "invoice.voided": {
      ...ENVELOPE,
      type: "invoice.voided",
      data: { object: endedInvoice(id, "void") },
    },
    "invoice.will_be_due": {
      ...ENVELOPE,
      type: "invoice.will_be_due",
      data: { object: openInvoice(id) },
    },
  };
}
