import type Stripe from "stripe";

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  product_description: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_tracking_number: null,
  uncategorized_text: null,
  cancellation_policy: null,
  customer_communication: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  receipt: null,
  refund_policy: null,
  service_documentation: null,
  shipping_documentation: null,
  uncategorized_file: null,
  enhanced_evidence: {},
};

function withdrawal(id: string): Stripe.BalanceTransaction {
  return {
    id: "txn_1PaYl0AdTxN",
    object: "balance_transaction",
    amount: -700,
    available_on: 1795218900,
    balance_type: "payments",
    created: 1795218900,
    currency: "eur",
    description: "Chargeback withdrawal for ch_1PaYl0AdChArGe",
    exchange_rate: null,
    fee: 2000,
    fee_details: [{
      amount: 2000,
      application: null,
      currency: "eur",
      description: "Dispute fee",
      type: "stripe_fee",
    }],
    net: -2700,
    reporting_category: "dispute",
    source: id,
    status: "available",
    type: "adjustment",
  };
}

/** A dispute that waits for an answer, as the processor shows it in events. */
export function openDispute(id: string): Stripe.Dispute {
  return {
    id: id,
    object: "dispute",
    amount: 700,
    balance_transactions: [withdrawal(id)],
    charge: "ch_1PaYl0AdChArGe",
    created: 1795218900,
    currency: "eur",
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: 1795996500,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    network_reason_code: "10.4",
    payment_intent: "pi_1PaYl0AdInTeNt",
    payment_method_details: {
      card: {
        brand: "visa",
        case_type: "chargeback",
        network: "visa",
        network_reason_code: "10.4",
      },
      type: "card",
    },
    reason: "fraudulent",
    status: "needs_response",
  };
}

/** The same once the bank has decided. */
export function closedDispute(
  id: string,
  status: "won" | "lost",
): Stripe.Dispute {
  return {
    ...openDispute(id),
    evidence_details: {
      due_by: null,
      enhanced_eligibility: {},
      has_evidence: true,
      past_due: false,
      submission_count: 1,
      submission_method: "manual",
    },
    status,
  };
}
