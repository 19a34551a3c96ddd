import type Stripe from "stripe";

const PAGE: Omit<Stripe.Checkout.Session, "id"> = {
  object: "checkout.session",
  allow_promotion_codes: null,
  amount_subtotal: null,
  amount_total: null,
  automatic_tax: {
    enabled: false,
    liability: null,
    provider: null,
    status: null,
  },
  currency_conversion: null,
  discounts: null,
  invoice: null,
  invoice_creation: null,
  payment_intent: null,
  payment_link: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  subscription: null,
  total_details: null,
  adaptive_pricing: null,
  after_expiration: null,
  allowed_payment_method_types: ["card"],
  billing_address_collection: null,
  cancel_url: "https://spotlight.example/billing/return?setup=setup_1",
  client_reference_id: "acc_1",
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency: null,
  custom_fields: [],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  customer_account: null,
  customer_creation: null,
  customer_details: null,
  customer_email: null,
  integration_identifier: null,
  livemode: false,
  locale: null,
  managed_payments: null,
  metadata: {},
  mode: "setup",
  origin_context: null,
  payment_method_collection: "always",
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ["card"],
  payment_status: "no_payment_required",
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  status: "open",
  submit_type: null,
  ui_mode: "hosted_page",
  url: "https://checkout.stripe.com/c/pay/cs_test_1",
  wallet_options: null,
  customer: "cus_1PaYl0AdCuStOmEr",
  expires_at: 1795248000,
  success_url: "https://spotlight.example/billing/return?setup=setup_1",
  created: 1795161600,
  setup_intent: "seti_1PaYl0AdSeTuP",
};

/** An open page for a card, as the processor shows it in events. */
export function openPage(id: string): Stripe.Checkout.Session {
  return { ...PAGE, id };
}

/** The same once it has come to its end. */
export function endedPage(
  id: string,
  status: "complete" | "expired",
): Stripe.Checkout.Session {
  return { ...openPage(id), status, url: null };
}
