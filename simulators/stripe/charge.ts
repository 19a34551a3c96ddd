/**
 * Charges: the record of one attempt to take money.
 *
 * @module
 */

import { chargeFee } from "./account.ts";
import { moveBalance } from "./balance.ts";
import type { Call } from "./call.ts";
import type {
  Charge,
  PaymentError,
  PaymentIntent,
  PaymentMethod,
} from "./objects.ts";

const AUTHORIZED: Charge["outcome"] = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: "approved_by_network",
  reason: null,
  risk_level: "normal",
  risk_score: 20,
  seller_message: "Payment complete.",
  type: "authorized",
};

/**
 * Writes down an attempt.
 *
 * @param error why it failed, or `null` when the money was taken
 */
export function newCharge(
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
  error: PaymentError | null,
): Charge {
  const paid = error === null;
  const id = call.newId("ch");
  return call.put("charge", {
    id,
    object: "charge",
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid ? takeIn(call, id, intent.amount) : null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: null,
    captured: paid,
    created: call.now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: error?.code ?? null,
    failure_message: error?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: error === null ? AUTHORIZED : declined(error),
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: "card", card: method.card },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: paid ? "succeeded" : "failed",
    transfer_data: null,
    transfer_group: intent.transfer_group,
  });
}

function takeIn(call: Call, charge: string, amount: number): string {
  return moveBalance(call, {
    amount,
    description: `Payment ${charge}`,
    fee: chargeFee(call.setting.account.fees, amount),
    reporting_category: "charge",
    source: charge,
  }).id;
}

function declined(error: PaymentError): Charge["outcome"] {
  return {
    ...AUTHORIZED,
    network_status: "declined_by_network",
    reason: error.decline_code ?? error.code,
    seller_message: "The bank did not return any further details with this " +
      "decline.",
    type: "issuer_declined",
  };
}
