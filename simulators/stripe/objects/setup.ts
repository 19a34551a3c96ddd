/**
 * Setting up cards for later: intents and hosted sessions, in their wire shape.
 *
 * @module
 */

import type { Metadata } from "../metadata.ts";
import type { NextAction, PaymentError } from "./payment.ts";

/** Where a set-up stands. */
export type SetupStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "processing"
  | "canceled"
  | "succeeded";

/** An intent to save a card. */
export type SetupIntent = {
  id: string;
  object: "setup_intent";
  allowed_payment_method_types: string[] | null;
  application: null;
  automatic_payment_methods:
    | { enabled: boolean; allow_redirects: "always" | "never" }
    | null;
  cancellation_reason: string | null;
  client_secret: string;
  created: number;
  customer: string | null;
  description: string | null;
  excluded_payment_method_types: null;
  last_setup_error: PaymentError | null;
  latest_attempt: null;
  livemode: false;
  mandate: null;
  metadata: Metadata;
  next_action: NextAction | null;
  on_behalf_of: null;
  payment_method: string | null;
  payment_method_configuration_details: null;
  payment_method_options: null;
  payment_method_types: string[];
  single_use_mandate: null;
  status: SetupStatus;
  usage: "off_session" | "on_session";
};

/** A hosted page on which a card is saved; no other mode is simulated. */
export type CheckoutSession = {
  id: string;
  object: "checkout.session";
  adaptive_pricing: null;
  after_expiration: null;
  allow_promotion_codes: null;
  allowed_payment_method_types: string[] | null;
  amount_subtotal: null;
  amount_total: null;
  automatic_tax: {
    enabled: false;
    liability: null;
    provider: null;
    status: null;
  };
  billing_address_collection: null;
  cancel_url: string | null;
  client_reference_id: string | null;
  client_secret: null;
  collected_information: null;
  consent: null;
  consent_collection: null;
  created: number;
  currency: "eur" | null;
  currency_conversion: null;
  custom_fields: never[];
  custom_text: {
    after_submit: null;
    shipping_address: null;
    submit: null;
    terms_of_service_acceptance: null;
  };
  customer: string | null;
  customer_account: null;
  customer_creation: null;
  customer_details: null;
  customer_email: null;
  discounts: null;
  expires_at: number;
  integration_identifier: null;
  invoice: null;
  invoice_creation: null;
  livemode: false;
  locale: string | null;
  managed_payments: null;
  metadata: Metadata;
  mode: "setup";
  origin_context: null;
  payment_intent: null;
  payment_link: null;
  payment_method_collection: "always";
  payment_method_configuration_details: null;
  payment_method_options: null;
  payment_method_types: string[];
  payment_status: "no_payment_required";
  permissions: null;
  recovered_from: null;
  saved_payment_method_options: null;
  setup_intent: string;
  shipping_address_collection: null;
  shipping_cost: null;
  shipping_options: never[];
  status: "open" | "complete" | "expired";
  submit_type: null;
  subscription: null;
  success_url: string;
  total_details: null;
  ui_mode: "hosted_page";
  url: string | null;
  wallet_options: null;
};
