/**
 * A new payment intent.
 *
 * @module
 */

import type { Call } from "./call.ts";
import type { PaymentIntent } from "./objects.ts";

/** Makes an intent and tells of it. */
export function newPaymentIntent(
  call: Call,
  given: Partial<PaymentIntent> & Pick<PaymentIntent, "amount">,
): PaymentIntent {
  const id = call.newId("pi");
  const intent = call.put("payment_intent", {
    id,
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: `${id}_secret_${call.newSecret()}`,
    confirmation_method: "automatic",
    created: call.now,
    currency: "eur",
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "requires_payment_method",
    transfer_data: null,
    transfer_group: null,
    ...given,
  });
  call.emit("payment_intent.created", intent);
  return intent;
}
