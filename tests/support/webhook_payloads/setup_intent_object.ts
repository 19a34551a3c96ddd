import type Stripe from "stripe";

/** A set-up of a card, as the processor shows it in events. */
export function newSetup(id: string): Stripe.SetupIntent {
  return {
    id: id,
    object: "setup_intent",
    allowed_payment_method_types: ["card"],
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_1PaYl0Ad`,
    created: 1795161600,
    customer: "cus_1PaYl0AdCuStOmEr",
    description: null,
    excluded_payment_method_types: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: {
      account_id: "acc_1",
    },
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        mandate_options: null,
        network: null,
        request_three_d_secure: "automatic",
      },
    },
    payment_method_types: ["card"],
    single_use_mandate: null,
    status: "requires_payment_method",
    usage: "off_session",
  };
}

/** The same once the card is saved. */
export function succeededSetup(id: string): Stripe.SetupIntent {
  return {
    ...newSetup(id),
    latest_attempt: "setatt_1PaYl0AdAtT",
    mandate: "mandate_1PaYl0AdMaN",
    payment_method: "pm_1PaYl0AdCaRd",
    status: "succeeded",
  };
}

/** The same after a card was declined. */
export function declinedSetup(id: string): Stripe.SetupIntent {
  return {
    ...newSetup(id),
    last_setup_error: {
      type: "card_error",
      code: "card_declined",
      decline_code: "generic_decline",
      doc_url: "https://stripe.com/docs/error-codes/card-declined",
      message: "Your card was declined.",
    },
    latest_attempt: "setatt_1PaYl0AdAtT",
  };
}

/** The same while the payer has to do something. */
export function waitingSetup(id: string): Stripe.SetupIntent {
  return {
    ...newSetup(id),
    next_action: {
      type: "redirect_to_url",
      redirect_to_url: {
        return_url: "https://spotlight.example/return",
        url: "https://hooks.stripe.com/3d_secure_2/hosted",
      },
    },
    payment_method: "pm_1PaYl0AdCaRd",
    status: "requires_action",
  };
}

/** The same once it was given up. */
export function canceledSetup(id: string): Stripe.SetupIntent {
  return {
    ...newSetup(id),
    cancellation_reason: "abandoned",
    status: "canceled",
  };
}
