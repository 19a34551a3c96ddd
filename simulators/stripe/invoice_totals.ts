/**
 * Lines, taxes and totals of an invoice, computed anew whenever it changes.
 *
 * @module
 */

import type { Call } from "./call.ts";
import type {
  Customer,
  Invoice,
  InvoiceItem,
  InvoiceLine,
  Tax,
  TaxExempt,
  TaxRate,
} from "./objects.ts";

/** Lines shown with an invoice; the rest are read from its list of lines. */
const SHOWN_LINES = 10;

/** The lines of an invoice, oldest item first. */
export function linesOf(call: Call, invoice: Invoice): InvoiceLine[] {
  return call.filed("invoiceitem", "invoice", invoice.id).reverse()
    .map((item) => toLine(invoice, item));
}

/** The invoice with lines, totals and customer as they now are. */
export function recompute(call: Call, invoice: Invoice): Invoice {
  const customer = call.get("customer", invoice.customer);
  const known = { ...invoice, ...customerDetails(call, customer) };
  const lines = linesOf(call, known);
  const taxes = sumTaxes(lines);
  const subtotal = sum(lines.map((line) => line.amount));
  const added = taxIn(taxes, "exclusive");
  const total = subtotal + added;
  return {
    ...known,
    amount_due: total,
    amount_remaining: total,
    lines: {
      object: "list",
      data: lines.slice(0, SHOWN_LINES),
      has_more: lines.length > SHOWN_LINES,
      url: `/v1/invoices/${invoice.id}/lines`,
    },
    subtotal,
    subtotal_excluding_tax: subtotal - taxIn(taxes, "inclusive"),
    total,
    total_excluding_tax: total - sum(taxes.map((tax) => tax.amount)),
    total_taxes: taxes,
  };
}

function customerDetails(call: Call, customer: Customer): Partial<Invoice> {
  const taxIds = call.filed("tax_id", "customer", customer.id).reverse();
  return {
    customer_address: customer.address,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_tax_exempt: customer.tax_exempt,
    customer_tax_ids: taxIds.map(({ type, value }) => ({ type, value })),
  };
}

function toLine(invoice: Invoice, item: InvoiceItem): InvoiceLine {
  const rates = item.tax_rates.length > 0
    ? item.tax_rates
    : invoice.default_tax_rates;
  const taxes = rates.map((rate) =>
    taxOf(item.amount, rate, invoice.customer_tax_exempt)
  );
  return {
    id: `il_${item.id.slice("ii_".length)}`,
    object: "line_item",
    amount: item.amount,
    currency: item.currency,
    description: item.description,
    discount_amounts: [],
    discountable: item.discountable,
    discounts: [],
    invoice: invoice.id,
    livemode: false,
    metadata: item.metadata,
    parent: {
      invoice_item_details: {
        invoice_item: item.id,
        proration: false,
        proration_details: null,
        subscription: null,
      },
      subscription_item_details: null,
      type: "invoice_item_details",
    },
    period: item.period,
    pretax_credit_amounts: [],
    pricing: item.pricing,
    quantity: item.quantity,
    quantity_decimal: item.quantity_decimal,
    subscription: null,
    subtotal: item.amount,
    taxes,
  };
}

/** An inclusive amount stays what it is; only the tax within it is told. */
function taxOf(amount: number, rate: TaxRate, exempt: TaxExempt): Tax {
  const percentage = exempt === "none" ? rate.percentage : 0;
  const tax = rate.inclusive
    ? amount - Math.round(amount * 100 / (100 + percentage))
    : Math.round(amount * percentage / 100);
  return {
    amount: tax,
    tax_behavior: rate.inclusive ? "inclusive" : "exclusive",
    tax_rate_details: { tax_rate: rate.id },
    taxability_reason: reasonFor(rate, exempt),
    taxable_amount: rate.inclusive ? amount - tax : amount,
    type: "tax_rate_details",
  };
}

function reasonFor(
  rate: TaxRate,
  exempt: TaxExempt,
): Tax["taxability_reason"] {
  if (exempt === "reverse") return "reverse_charge";
  if (exempt === "exempt") return "customer_exempt";
  return rate.percentage === 0 ? "zero_rated" : "standard_rated";
}

function sumTaxes(lines: InvoiceLine[]): Tax[] {
  const byRate = new Map<string, Tax>();
  for (const tax of lines.flatMap((line) => line.taxes)) {
    const { tax_rate } = tax.tax_rate_details;
    const so = byRate.get(tax_rate);
    byRate.set(tax_rate, {
      ...tax,
      amount: tax.amount + (so?.amount ?? 0),
      taxable_amount: tax.taxable_amount + (so?.taxable_amount ?? 0),
    });
  }
  return [...byRate.values()];
}

/** The tax that is contained in amounts, or that comes on top of them. */
export function taxIn(taxes: Tax[], behavior: Tax["tax_behavior"]): number {
  const those = taxes.filter((tax) => tax.tax_behavior === behavior);
  return sum(those.map((tax) => tax.amount));
}

/** The sum of some numbers. */
export function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
