/**
 * Customers and their tax ids, in their wire shape.
 *
 * @module
 */

import type { Metadata } from "../metadata.ts";

/** A postal address. */
export type Address = {
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
};

/** Whether a customer owes tax. */
export type TaxExempt = "none" | "exempt" | "reverse";

/** A customer. */
export type Customer = {
  id: string;
  object: "customer";
  address: Address | null;
  balance: number;
  created: number;
  currency: "eur" | null;
  customer_account: null;
  default_source: null;
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
};

/** A tax id of a customer. */
export type TaxId = {
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
};
