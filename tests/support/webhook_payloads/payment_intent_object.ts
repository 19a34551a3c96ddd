import type Stripe from "stripe";

/** A payment for a day's figures, as the processor shows it in events. */
export function newIntent(id: string): Stripe.PaymentIntent {
  return {
    id: id,
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount_capturable: 0,
    amount_details: {
      tip: {},
    },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: {
      allow_redirects: "never",
      enabled: true,
    },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: `${id}_secret_1PaYl0Ad`,
    confirmation_method: "automatic",
    created: 1795218900,
    currency: "eur",
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {
      purpose: "metrics",
      payment_id: "pay_1",
    },
    next_action: null,
    on_behalf_of: null,
    payment_method: "pm_1PaYl0AdCaRd",
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: "automatic",
      },
    },
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
    amount: 100,
  };
}

/** The same once the money was taken. */
export function succeededIntent(id: string): Stripe.PaymentIntent {
  return {
    ...newIntent(id),
    amount_received: 100,
    latest_charge: "ch_1PaYl0AdChArGe",
    status: "succeeded",
  };
}

/** The same after a card was declined. */
export function declinedIntent(id: string): Stripe.PaymentIntent {
  return {
    ...newIntent(id),
    last_payment_error: {
      type: "card_error",
      code: "card_declined",
      charge: "ch_1PaYl0AdDeClInEd",
      decline_code: "generic_decline",
      doc_url: "https://stripe.com/docs/error-codes/card-declined",
      message: "Your card was declined.",
    },
    latest_charge: "ch_1PaYl0AdDeClInEd",
    payment_method: null,
  };
}

/** The same while the payer has to do something. */
export function waitingIntent(id: string): Stripe.PaymentIntent {
  return {
    ...newIntent(id),
    next_action: {
      type: "redirect_to_url",
      redirect_to_url: {
        return_url: "https://spotlight.example/return",
        url: "https://hooks.stripe.com/3d_secure_2/hosted",
      },
    },
    status: "requires_action",
  };
}
