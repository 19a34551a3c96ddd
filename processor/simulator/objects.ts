/**
 * The objects in the books, in their wire shape (API 2026-10-28.endive).
 * Members the simulator never fills are typed `null`, so that a reader sees
 * what it knows nothing about.
 *
 * @module
 */

import type { Metadata } from "./metadata.ts";

/** The API version the simulator speaks unless a request names another. */
export const API_VERSION = "2026-10-28.endive";

/** An embedded or listed page of objects. */
export interface Page<T> {
  /** Always `list`. */
  object: "list";
  /** The objects, newest first unless said otherwise. */
  data: T[];
  /** Whether more follow. */
  has_more: boolean;
  /** Path of the list. */
  url: string;
}

/** A postal address. */
export interface Address {
  /** Town. */
  city: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** Street and number. */
  line1: string | null;
  /** Addition. */
  line2: string | null;
  /** Postal code. */
  postal_code: string | null;
  /** State or region. */
  state: string | null;
}

/** Whether a customer owes tax. */
export type TaxExempt = "none" | "exempt" | "reverse";

/** A customer. */
export interface Customer {
  id: string;
  object: "customer";
  address: Address | null;
  balance: number;
  created: number;
  currency: "eur" | null;
  customer_account: null;
  default_source: null;
  deleted?: true;
  delinquent: boolean;
  description: string | null;
  discount: null;
  email: string | null;
  invoice_prefix: string;
  invoice_settings: {
    custom_fields: null;
    default_payment_method: string | null;
    footer: string | null;
    rendering_options: null;
  };
  livemode: false;
  metadata: Metadata;
  name: string | null;
  phone: string | null;
  preferred_locales: string[];
  shipping: null;
  tax_exempt: TaxExempt;
  test_clock: null;
}

/** A tax id of a customer. */
export interface TaxId {
  id: string;
  object: "tax_id";
  country: string | null;
  created: number;
  customer: string;
  customer_account: null;
  livemode: false;
  owner: { type: "customer"; customer: string };
  type: string;
  value: string;
  verification: {
    status: "pending" | "unavailable";
    verified_address: null;
    verified_name: null;
  };
}

/** Who pays, as given with a card. */
export interface BillingDetails {
  address: Address | null;
  email: string | null;
  name: string | null;
  phone: string | null;
  tax_id: string | null;
}

/** A card as shown. */
export interface Card {
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
}

/** A payment method; all are cards. */
export interface PaymentMethod {
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
  type: "card";
}

/** What a card does when charged; kept beside the payment method. */
export interface CardBehaviour {
  /** The payment method's id. */
  id: string;
  /** Name of the behaviour, see `cards.ts`. */
  behaviour: string;
  /** It was detached, or used without a customer, and is of no more use. */
  spent?: true;
}

/** Why the last attempt of a payment failed. */
export interface PaymentError {
  type: "card_error";
  code: string;
  decline_code?: string;
  charge?: string;
  message: string;
  payment_method?: PaymentMethod;
}

/** Where a payment stands. */
export type PaymentStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "processing"
  | "succeeded"
  | "canceled";

/** What the payer must do next. */
export interface NextAction {
  type: "redirect_to_url" | "use_stripe_sdk";
  redirect_to_url?: { return_url: string; url: string };
  use_stripe_sdk?: { type: "three_d_secure_redirect"; stripe_js: string };
}

/** An intent to pay. */
export interface PaymentIntent {
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
}

/** One attempt to take money. */
export interface Charge {
  id: string;
  object: "charge";
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  application: null;
  application_fee: null;
  application_fee_amount: null;
  balance_transaction: null;
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
}

/** Money given back. */
export interface Refund {
  id: string;
  object: "refund";
  amount: number;
  balance_transaction: null;
  charge: string;
  created: number;
  currency: "eur";
  customer: string | null;
  customer_account: null;
  metadata: Metadata;
  payment_intent: string;
  payment_method: string;
  reason: string | null;
  receipt_number: null;
  source_transfer_reversal: null;
  status: "succeeded";
  transfer_reversal: null;
}

/** A tax on a line or on the whole invoice. */
export interface Tax {
  amount: number;
  tax_behavior: "inclusive" | "exclusive";
  tax_rate_details: { tax_rate: string };
  taxability_reason:
    | "standard_rated"
    | "reverse_charge"
    | "customer_exempt"
    | "zero_rated";
  taxable_amount: number;
  type: "tax_rate_details";
}

/** A rate of tax. */
export interface TaxRate {
  id: string;
  object: "tax_rate";
  active: boolean;
  country: string | null;
  created: number;
  description: string | null;
  display_name: string;
  effective_percentage: number | null;
  flat_amount: null;
  inclusive: boolean;
  jurisdiction: string | null;
  jurisdiction_level: null;
  livemode: false;
  metadata: Metadata;
  percentage: number;
  rate_type: "percentage";
  state: string | null;
  tax_type: "vat" | null;
}

/** A span of time, epoch seconds. */
export interface Period {
  start: number;
  end: number;
}

/** What an invoice is to ask for. */
export interface InvoiceItem {
  id: string;
  object: "invoiceitem";
  amount: number;
  currency: "eur";
  customer: string;
  customer_account: null;
  date: number;
  description: string | null;
  discountable: boolean;
  discounts: never[];
  invoice: string | null;
  livemode: false;
  metadata: Metadata;
  net_amount: number;
  parent: null;
  period: Period;
  pricing: { type: "price_details"; unit_amount_decimal: string };
  proration: false;
  quantity: number;
  quantity_decimal: string;
  tax_rates: TaxRate[];
  test_clock: null;
}

/** A line of an invoice. */
export interface InvoiceLine {
  id: string;
  object: "line_item";
  amount: number;
  currency: "eur";
  description: string | null;
  discount_amounts: never[];
  discountable: boolean;
  discounts: never[];
  invoice: string;
  livemode: false;
  metadata: Metadata;
  parent: {
    invoice_item_details: {
      invoice_item: string;
      proration: false;
      proration_details: null;
      subscription: null;
    };
    subscription_item_details: null;
    type: "invoice_item_details";
  };
  period: Period;
  pretax_credit_amounts: never[];
  pricing: InvoiceItem["pricing"];
  quantity: number;
  quantity_decimal: string;
  subscription: null;
  subtotal: number;
  taxes: Tax[];
}

/** Where an invoice stands. */
export type InvoiceStatus =
  | "draft"
  | "open"
  | "paid"
  | "uncollectible"
  | "void";

/** An invoice. */
export interface Invoice {
  id: string;
  object: "invoice";
  account_country: string;
  account_name: string;
  account_tax_ids: null;
  amount_due: number;
  amount_overpaid: number;
  amount_paid: number;
  amount_remaining: number;
  amount_shipping: number;
  application: null;
  attempt_count: number;
  attempted: boolean;
  auto_advance: boolean;
  automatic_tax: {
    disabled_reason: null;
    enabled: false;
    liability: null;
    provider: null;
    status: null;
  };
  automatically_finalizes_at: null;
  billing_reason: "manual";
  collection_method: "charge_automatically" | "send_invoice";
  created: number;
  currency: "eur";
  custom_fields: { name: string; value: string }[] | null;
  customer: string;
  customer_account: null;
  customer_address: Address | null;
  customer_email: string | null;
  customer_name: string | null;
  customer_phone: string | null;
  customer_shipping: null;
  customer_tax_exempt: TaxExempt;
  customer_tax_ids: { type: string; value: string }[];
  default_payment_method: string | null;
  default_source: null;
  default_tax_rates: TaxRate[];
  description: string | null;
  discounts: never[];
  due_date: number | null;
  effective_at: number | null;
  ending_balance: number | null;
  footer: string | null;
  from_invoice: null;
  hosted_invoice_url: null;
  invoice_pdf: string | null;
  issuer: { type: "self" };
  last_finalization_error: null;
  latest_revision: null;
  lines: Page<InvoiceLine>;
  livemode: false;
  metadata: Metadata;
  next_payment_attempt: null;
  number: string | null;
  on_behalf_of: null;
  parent: null;
  payment_settings: {
    default_mandate: null;
    payment_method_options: null;
    payment_method_types: null;
  };
  period_end: number;
  period_start: number;
  post_payment_credit_notes_amount: number;
  pre_payment_credit_notes_amount: number;
  receipt_number: null;
  rendering: null;
  shipping_cost: null;
  shipping_details: null;
  starting_balance: number;
  statement_descriptor: string | null;
  status: InvoiceStatus;
  status_transitions: {
    finalized_at: number | null;
    marked_uncollectible_at: number | null;
    paid_at: number | null;
    voided_at: number | null;
  };
  subtotal: number;
  subtotal_excluding_tax: number;
  test_clock: null;
  total: number;
  total_discount_amounts: never[];
  total_excluding_tax: number;
  total_pretax_credit_amounts: never[];
  total_taxes: Tax[];
  webhooks_delivered_at: number | null;
}

/** The tie between an invoice and the intent that pays it. */
export interface InvoicePayment {
  id: string;
  object: "invoice_payment";
  amount_paid: number | null;
  amount_requested: number;
  created: number;
  currency: "eur";
  invoice: string;
  is_default: boolean;
  livemode: false;
  payment: { type: "payment_intent"; payment_intent: string };
  status: "open" | "paid" | "canceled";
  status_transitions: { canceled_at: number | null; paid_at: number | null };
}

/** Something that happened, as webhooks tell it. */
export interface EventObject {
  id: string;
  object: "event";
  api_version: string;
  created: number;
  data: { object: unknown; previous_attributes?: Record<string, unknown> };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

/** Every kind of object the books hold, by the name of its table. */
export interface Tables {
  card_behaviour: CardBehaviour;
  charge: Charge;
  customer: Customer;
  event: EventObject;
  invoice: Invoice;
  invoice_payment: InvoicePayment;
  invoiceitem: InvoiceItem;
  payment_intent: PaymentIntent;
  payment_method: PaymentMethod;
  refund: Refund;
  tax_id: TaxId;
  tax_rate: TaxRate;
}

/** Name of a table. */
export type TableName = keyof Tables;
