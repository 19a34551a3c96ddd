import Stripe from "stripe";

const REVERSE_CHARGE: Stripe.Invoice.TotalTax & Stripe.InvoiceLineItem.Tax = {
  amount: 0,
  tax_behavior: "inclusive",
  tax_rate_details: {
    tax_rate: "txr_1PaYl0AdRaTe",
  },
  taxability_reason: "reverse_charge",
  taxable_amount: 700,
  type: "tax_rate_details",
};

function lineOf(id: string): Stripe.InvoiceLineItem {
  return {
    id: "il_1PaYl0AdLiNe",
    object: "line_item",
    amount: 700,
    currency: "eur",
    description: "Spotlight of 2026-11-20: the featured advertisement, shown " +
      "20 Nov 23:55 – 21 Nov 23:55 UTC",
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice: id,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: {
        invoice_item: "ii_1PaYl0AdItEm",
        proration: false,
        proration_details: null,
        subscription: null,
      },
      subscription_item_details: null,
      type: "invoice_item_details",
    },
    period: {
      start: 1795218900,
      end: 1795218900,
    },
    pretax_credit_amounts: [],
    pricing: {
      price_details: {
        price: "price_1PaYl0AdPrIcE",
        product: "prod_PaYl0AdPrOd",
      },
      type: "price_details",
      unit_amount_decimal: Stripe.Decimal.from("700"),
    },
    quantity: 1,
    quantity_decimal: Stripe.Decimal.from("1"),
    subscription: null,
    subtotal: 700,
    taxes: [REVERSE_CHARGE],
  };
}

const DRAFT: Omit<Stripe.Invoice, "id" | "lines"> = {
  object: "invoice",
  account_country: "LV",
  account_name: "Spotlight Example SIA",
  account_tax_ids: null,
  amount_due: 700,
  amount_overpaid: 0,
  amount_paid: 0,
  amount_remaining: 700,
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
  created: 1795218900,
  currency: "eur",
  custom_fields: null,
  customer: "cus_1PaYl0AdCuStOmEr",
  customer_account: null,
  customer_address: {
    city: "Berlin",
    country: "DE",
    line1: "Main Street 1",
    line2: null,
    postal_code: "10115",
    state: null,
  },
  customer_email: "buyer@example.com",
  customer_name: "Buyer GmbH",
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: "reverse",
  customer_tax_ids: [{
    type: "eu_vat",
    value: "DE123456789",
  }],
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
  issuer: {
    type: "self",
  },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  metadata: {
    purpose: "spotlight",
    day: "2026-11-20",
    bid_id: "bid_1",
  },
  next_payment_attempt: null,
  number: null,
  on_behalf_of: null,
  parent: null,
  payment_settings: {
    default_mandate: null,
    payment_method_options: null,
    payment_method_types: null,
  },
  period_end: 1795218900,
  period_start: 1795218900,
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  status: "draft",
  status_transitions: {
    finalized_at: null,
    marked_uncollectible_at: null,
    paid_at: null,
    voided_at: null,
  },
  subtotal: 700,
  subtotal_excluding_tax: 700,
  test_clock: null,
  total: 700,
  total_discount_amounts: [],
  total_excluding_tax: 700,
  total_pretax_credit_amounts: [],
  total_taxes: [REVERSE_CHARGE],
  webhooks_delivered_at: null,
};

/** A draft of an invoice over one day, as the processor shows it in events. */
export function draftInvoice(id: string): Stripe.Invoice {
  return {
    ...DRAFT,
    id,
    lines: {
      object: "list",
      data: [lineOf(id)],
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
  };
}

/** The same with a number, to be paid. */
export function openInvoice(id: string): Stripe.Invoice {
  return {
    ...draftInvoice(id),
    effective_at: 1795218900,
    ending_balance: 0,
    hosted_invoice_url: `https://invoice.stripe.com/i/acct_1/${id}`,
    invoice_pdf: `https://pay.stripe.com/invoice/acct_1/${id}/pdf`,
    number: "SPOT-0007",
    status: "open",
    status_transitions: {
      finalized_at: 1795218900,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
  };
}

/** The same after an attempt to pay it that took nothing. */
export function unpaidInvoice(id: string): Stripe.Invoice {
  return { ...openInvoice(id), attempt_count: 1, attempted: true };
}

/** The same once it was paid. */
export function paidInvoice(id: string): Stripe.Invoice {
  return {
    ...unpaidInvoice(id),
    amount_paid: 700,
    amount_remaining: 0,
    status: "paid",
    status_transitions: {
      finalized_at: 1795218900,
      marked_uncollectible_at: null,
      paid_at: 1795218901,
      voided_at: null,
    },
  };
}

/** The same after it was voided, or given up. */
export function endedInvoice(
  id: string,
  status: "uncollectible" | "void",
): Stripe.Invoice {
  const isVoid = status === "void";
  return {
    ...unpaidInvoice(id),
    status,
    status_transitions: {
      finalized_at: 1795218900,
      marked_uncollectible_at: isVoid ? null : 1795218902,
      paid_at: null,
      voided_at: isVoid ? 1795218902 : null,
    },
  };
}

/** A draft that could not be made final. */
export function failedInvoice(id: string): Stripe.Invoice {
  return {
    ...draftInvoice(id),
    last_finalization_error: {
      type: "invalid_request_error",
      code: "customer_tax_location_invalid",
      message: "The customer's location is not recognised.",
    },
  };
}
