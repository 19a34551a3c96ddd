/**
 * Invoices, what is on them, and their payment, in their wire shape.
 *
 * @module
 */

import type { Metadata } from "../metadata.ts";
import type { Address, TaxExempt } from "./customer.ts";
import type { Page } from "./page.ts";

/** A tax on a line or on the whole invoice. */
export type Tax = {
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
};

/** A rate of tax. */
export type TaxRate = {
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
};

/** A span of time, epoch seconds. */
export type Period = {
  start: number;
  end: number;
};

/** What an invoice is to ask for. */
export type InvoiceItem = {
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
};

/** A line of an invoice. */
export type InvoiceLine = {
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
};

/** Where an invoice stands. */
export type InvoiceStatus =
  | "draft"
  | "open"
  | "paid"
  | "uncollectible"
  | "void";

/** An invoice. */
export type Invoice = {
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
  last_finalization_error:
    | {
      type: "invalid_request_error";
      code: "amount_too_large";
      message: string;
    }
    | null;
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
    payment_method_types: "card"[] | null;
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
};

/** The tie between an invoice and the intent that pays it. */
export type InvoicePayment = {
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
};
