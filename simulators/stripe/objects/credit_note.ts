/**
 * Credit notes, in their wire shape.
 *
 * @module
 */

import type { Metadata } from "../metadata.ts";
import type { Tax } from "./invoice.ts";
import type { Page } from "./page.ts";

/** A line of a credit note. */
export type CreditNoteLine = {
  id: string;
  object: "credit_note_line_item";
  amount: number;
  description: string | null;
  discount_amount: number;
  discount_amounts: never[];
  livemode: false;
  metadata: Metadata;
  pretax_credit_amounts: never[];
  quantity: number;
  tax_rates: never[];
  taxes: Tax[];
  type: "custom_line_item";
  unit_amount: number;
  unit_amount_decimal: string;
};

/** Why an invoice is corrected. */
export type CreditNoteReason =
  | "duplicate"
  | "fraudulent"
  | "order_change"
  | "product_unsatisfactory";

/** A correction of a paid invoice. */
export type CreditNote = {
  id: string;
  object: "credit_note";
  amount: number;
  amount_shipping: number;
  created: number;
  currency: "eur";
  customer: string;
  customer_account: null;
  customer_balance_transaction: null;
  discount_amount: number;
  discount_amounts: never[];
  effective_at: number;
  invoice: string;
  lines: Page<CreditNoteLine>;
  livemode: false;
  memo: string | null;
  metadata: Metadata;
  number: string;
  out_of_band_amount: number | null;
  pdf: string;
  post_payment_amount: number;
  pre_payment_amount: number;
  pretax_credit_amounts: never[];
  reason: CreditNoteReason | null;
  refunds: {
    amount_refunded: number;
    payment_record_refund: null;
    refund: string;
    type: "refund";
  }[];
  shipping_cost: null;
  status: "issued";
  subtotal: number;
  subtotal_excluding_tax: number;
  total: number;
  total_excluding_tax: number;
  total_taxes: Tax[];
  type: "post_payment";
  voided_at: null;
};
