/**
 * Payment methods, intents, charges and refunds, in their wire shape.
 *
 * @module
 */

import type { Metadata } from "../metadata.ts";
import type { Address } from "./customer.ts";

/** Who pays, as given with a card. */
export type BillingDetails = {
  address: Address | null;
  email: string | null;
  name: string | null;
  phone: string | null;
  tax_id: string | null;
};

/** A card as shown. */
export type Card = {
  brand: string;
  checks: {
    address_line1_check: string | null;
    address_postal_code_check: string | null;
    cvc_check: string | null;
  };
  country: string;
  display_brand: string;
  exp_month: number;
  exp_year: number;
  fingerprint: string;
  funding: "credit" | "debit";
  generated_from: null;
  last4: string;
  networks: { available: string[]; preferred: null };
  regulated_status: "unregulated";
  three_d_secure_usage: { supported: boolean };
  wallet: null;
};

/** A payment method; all are cards. */
export type PaymentMethod = {
  id: string;
  object: "payment_method";
  allow_redisplay: "unspecified" | "limited" | "always";
  billing_details: BillingDetails;
  card: Card;
  created: number;
  customer: string | null;
  customer_account: null;
  livemode: false;
  metadata: Metadata;
  /** The shared payment token it was made from; only then it is there. */
  shared_payment_granted_token?: string;
  type: "card";
};

/** What a card does when charged; kept beside the payment method. */
export type CardBehaviour = {
  /** The payment method's id. */
  id: string;
  /** Name of the behaviour, see `cards.ts`. */
  behaviour: string;
  /** It was detached, or used without a customer, and is of no more use. */
  spent?: true;
  /** Its payer has agreed to be charged while away. */
  setUp?: true;
};

/** Why the last attempt of a payment failed. */
export type PaymentError = {
  type: "card_error";
  code: string;
  decline_code?: string;
  charge?: string;
  message: string;
  payment_method?: PaymentMethod;
};

/** Where a payment stands. */
export type PaymentStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "processing"
  | "succeeded"
  | "canceled";

/** What the payer must do next. */
export type NextAction = {
  type: "redirect_to_url" | "use_stripe_sdk";
  redirect_to_url?: { return_url: string; url: string };
  use_stripe_sdk?: { type: "three_d_secure_redirect"; stripe_js: string };
};

/** An intent to pay. */
export type PaymentIntent = {
  id: string;
  object: "payment_intent";
  allowed_payment_method_types: string[] | null;
  amount: number;
  amount_capturable: number;
  amount_details: { tip: Record<string, never> };
  amount_received: number;
  application: null;
  application_fee_amount: null;
  automatic_payment_methods:
    | { enabled: boolean; allow_redirects: "always" | "never" }
    | null;
  canceled_at: number | null;
  cancellation_reason: string | null;
  capture_method: "automatic_async";
  client_secret: string;
  confirmation_method: "automatic";
  created: number;
  currency: "eur";
  customer: string | null;
  customer_account: null;
  description: string | null;
  excluded_payment_method_types: null;
  last_payment_error: PaymentError | null;
  latest_charge: string | null;
  livemode: false;
  managed_payments: null;
  metadata: Metadata;
  next_action: NextAction | null;
  on_behalf_of: null;
  payment_method: string | null;
  payment_method_configuration_details: null;
  payment_method_options: null;
  payment_method_types: string[];
  payment_record: null;
  processing: null;
  receipt_email: string | null;
  review: null;
  setup_future_usage: "off_session" | "on_session" | null;
  shipping: null;
  source: null;
  statement_descriptor: string | null;
  statement_descriptor_suffix: string | null;
  status: PaymentStatus;
  transfer_data: null;
  transfer_group: string | null;
};

/** One attempt to take money. */
export type Charge = {
  id: string;
  object: "charge";
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  application: null;
  application_fee: null;
  application_fee_amount: null;
  balance_transaction: string | null;
  billing_details: BillingDetails;
  calculated_statement_descriptor: string | null;
  captured: boolean;
  created: number;
  currency: "eur";
  customer: string | null;
  description: string | null;
  disputed: boolean;
  failure_balance_transaction: null;
  failure_code: string | null;
  failure_message: string | null;
  fraud_details: Record<string, never>;
  livemode: false;
  metadata: Metadata;
  on_behalf_of: null;
  outcome: {
    advice_code: null;
    network_advice_code: null;
    network_decline_code: null;
    network_status: string;
    reason: string | null;
    risk_level: string;
    risk_score: number;
    seller_message: string;
    type: string;
  };
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  payment_method_details: { type: "card"; card: Card };
  receipt_email: string | null;
  receipt_number: null;
  receipt_url: null;
  refunded: boolean;
  review: null;
  shipping: null;
  source: null;
  source_transfer: null;
  statement_descriptor: string | null;
  statement_descriptor_suffix: string | null;
  status: "succeeded" | "pending" | "failed";
  transfer_data: null;
  transfer_group: string | null;
};

/** Money given back. */
export type Refund = {
  id: string;
  object: "refund";
  amount: number;
  balance_transaction: string | null;
  charge: string;
  created: number;
  currency: "eur";
  customer: string | null;
  customer_account: null;
  /** Only of one that came back. */
  failure_balance_transaction?: string;
  failure_reason?: string;
  metadata: Metadata;
  payment_intent: string;
  payment_method: string;
  reason: string | null;
  receipt_number: null;
  source_transfer_reversal: null;
  status: "succeeded" | "failed";
  transfer_reversal: null;
};
