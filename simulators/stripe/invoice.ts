/**
 * A new invoice.
 *
 * @module
 */

import type { Call } from "./call.ts";
import type { Invoice } from "./objects.ts";

/** A draft without items for a customer, not stored yet. */
export function newInvoice(call: Call, customer: string): Invoice {
  const id = call.newId("in");
  return {
    id,
    object: "invoice",
    ...fromSeller(call),
    amount_due: 0,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: 0,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: false,
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    automatically_finalizes_at: null,
    billing_reason: "manual",
    collection_method: "charge_automatically",
    created: call.now,
    currency: "eur",
    custom_fields: null,
    customer,
    customer_account: null,
    customer_address: null,
    customer_email: null,
    customer_name: null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: "none",
    customer_tax_ids: [],
    ...unsetReferences(),
    lines: {
      object: "list",
      data: [],
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: null,
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    period_end: call.now,
    period_start: call.now,
    ...unsetDelivery(),
    status: "draft",
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    ...zeroTotals(),
  };
}

function fromSeller({ setting }: Call) {
  const { country, name } = setting.account.seller;
  return {
    account_country: country,
    account_name: name,
    account_tax_ids: null,
  } as const satisfies Partial<Invoice>;
}

/** What nobody has chosen yet. */
function unsetReferences() {
  return {
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: "self" },
    last_finalization_error: null,
    latest_revision: null,
  } as const satisfies Partial<Invoice>;
}

/** What comes with credit notes and shipping, which there are none of. */
function unsetDelivery() {
  return {
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
  } as const satisfies Partial<Invoice>;
}

/** The sums of no items. */
function zeroTotals() {
  return {
    subtotal: 0,
    subtotal_excluding_tax: 0,
    test_clock: null,
    total: 0,
    total_discount_amounts: [],
    total_excluding_tax: 0,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  } as const satisfies Partial<Invoice>;
}
