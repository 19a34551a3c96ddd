import type Stripe from "stripe";
import { ENVELOPE, type Payloads, told } from "./envelope.ts";

/** Every event of a refund, in full. */
export function refundPayloads(id: string): Payloads<`refund.${string}`> {
  const refund: Stripe.Refund = {
    id,
    object: "refund",
    amount: 5_000,
    balance_transaction: "txn_PaYl0AdReFuNd",
    charge: "ch_PaYl0AdReFuNd",
    created: 1_795_176_000,
    currency: "eur",
    customer: null,
    customer_account: null,
    destination_details: {
      card: {
        reference_status: "pending",
        reference_type: "acquirer_reference_number",
        type: "refund",
      },
      type: "card",
    },
    metadata: {},
    payment_intent: "pi_PaYl0AdReFuNd",
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
  const failed: Stripe.Refund = {
    ...refund,
    failure_balance_transaction: "txn_PaYl0AdReTuRn",
    failure_reason: "lost_or_stolen_card",
    status: "failed",
  };
  return {
    "refund.created": { ...told(refund), type: "refund.created" },
    "refund.failed": { ...told(failed), type: "refund.failed" },
    "refund.updated": {
      ...ENVELOPE,
      type: "refund.updated",
      data: { object: failed, previous_attributes: { status: "succeeded" } },
    },
  };
}
