import { ENVELOPE, type Payloads, told } from "./envelope.ts";
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
    "invoice.created": { ...told(draftInvoice(id)), type: "invoice.created" },
    "invoice.deleted": { ...told(draftInvoice(id)), type: "invoice.deleted" },
    "invoice.finalization_failed": {
      ...told(failedInvoice(id)),
      type: "invoice.finalization_failed",
    },
    "invoice.finalized": {
      ...told(openInvoice(id)),
      type: "invoice.finalized",
    },
    "invoice.marked_uncollectible": {
      ...told(endedInvoice(id, "uncollectible")),
      type: "invoice.marked_uncollectible",
    },
    "invoice.overdue": { ...told(unpaidInvoice(id)), type: "invoice.overdue" },
    "invoice.overpaid": {
      ...told({ ...paidInvoice(id), amount_overpaid: 100 }),
      type: "invoice.overpaid",
    },
    "invoice.paid": { ...told(paidInvoice(id)), type: "invoice.paid" },
    "invoice.payment_action_required": {
      ...told(unpaidInvoice(id)),
      type: "invoice.payment_action_required",
    },
    "invoice.payment_attempt_required": {
      ...told(openInvoice(id)),
      type: "invoice.payment_attempt_required",
    },
    "invoice.payment_failed": {
      ...told(unpaidInvoice(id)),
      type: "invoice.payment_failed",
    },
    "invoice.payment_succeeded": {
      ...told(paidInvoice(id)),
      type: "invoice.payment_succeeded",
    },
    "invoice.sent": { ...told(openInvoice(id)), type: "invoice.sent" },
    "invoice.upcoming": { ...told(draftInvoice(id)), type: "invoice.upcoming" },
    "invoice.updated": {
      ...ENVELOPE,
      type: "invoice.updated",
      data: {
        object: unpaidInvoice(id),
        previous_attributes: { attempt_count: 0, attempted: false },
      },
    },
    "invoice.voided": {
      ...told(endedInvoice(id, "void")),
      type: "invoice.voided",
    },
    "invoice.will_be_due": {
      ...told(openInvoice(id)),
      type: "invoice.will_be_due",
    },
  };
}
