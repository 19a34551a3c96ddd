/**
 * `/v1/invoiceitems`.
 *
 * @module
 */

import { type Call, MAX_CHARGE_CENTS } from "../call.ts";
import { invalidRequest } from "../errors.ts";
import { recompute } from "../invoice_totals.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import type { Invoice, InvoiceItem } from "../objects.ts";
import {
  currency,
  inert,
  integer,
  list,
  nested,
  oneOf,
  type Read,
  required,
  text,
} from "../params.ts";
import { type Route, route } from "../route.ts";
import { taxRates } from "./tax_rates.ts";

/** How many items fit on one invoice (Stripe API). */
const MAX_ITEMS = 250;

const CREATE_SHAPE = {
  amount: required(integer(-MAX_CHARGE_CENTS)),
  currency: required(currency()),
  customer: text(255),
  description: text(1_500),
  discountable: inert("true", "false"),
  invoice: text(255),
  metadata: metadata(),
  period: nested({ start: required(integer()), end: required(integer()) }),
  quantity: inert("1"),
  tax_behavior: oneOf("exclusive", "inclusive", "unspecified"),
  tax_rates: list(text(255), 5),
};

/** Create invoice items. */
export const invoiceItemRoutes: Route[] = [
  route("POST", "/v1/invoiceitems", CREATE_SHAPE, create),
];

function create(call: Call, params: Read<typeof CREATE_SHAPE>): InvoiceItem {
  if (params.amount > MAX_CHARGE_CENTS) {
    throw invalidRequest("Amount must be no more than €999,999.99", {
      code: "amount_too_large",
      param: "amount",
    });
  }
  const invoice = params.invoice === undefined
    ? null
    : draft(call, params.invoice);
  if (invoice !== null) refuseTooMany(call, invoice.id);
  const customer = ownerOf(call, params.customer, invoice);
  const item = call.put("invoiceitem", {
    id: call.newId("ii"),
    object: "invoiceitem",
    amount: params.amount,
    currency: params.currency,
    customer,
    customer_account: null,
    date: call.now,
    description: params.description ?? null,
    discountable: params.discountable !== "false",
    discounts: [],
    invoice: invoice?.id ?? null,
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    net_amount: params.amount,
    parent: null,
    period: params.period ?? { start: call.now, end: call.now },
    pricing: {
      type: "price_details",
      unit_amount_decimal: String(params.amount),
    },
    proration: false,
    quantity: 1,
    quantity_decimal: "1",
    tax_rates: taxRates(call, params.tax_rates ?? [], "tax_rates"),
    test_clock: null,
  });
  call.emit("invoiceitem.created", item);
  if (invoice !== null) call.put("invoice", recompute(call, invoice));
  return item;
}

function draft(call: Call, id: string): Invoice {
  const invoice = call.get("invoice", id, "invoice");
  if (invoice.status !== "draft") {
    throw invalidRequest(
      "This invoice is no longer editable: it has been finalized",
      { code: "invoice_not_editable", param: "invoice" },
    );
  }
  return invoice;
}

function refuseTooMany(call: Call, id: string): void {
  if (call.filed("invoiceitem", "invoice", id).length < MAX_ITEMS) return;
  throw invalidRequest(`Invoices can have at most ${MAX_ITEMS} items`, {
    param: "invoice",
  });
}

function ownerOf(
  call: Call,
  given: string | undefined,
  invoice: Invoice | null,
): string {
  const customer = given ?? invoice?.customer;
  if (customer === undefined) {
    throw invalidRequest("Missing required param: customer.", {
      code: "parameter_missing",
      param: "customer",
    });
  }
  if (invoice !== null && invoice.customer !== customer) {
    throw invalidRequest("The invoice belongs to another customer", {
      param: "customer",
    });
  }
  return call.get("customer", customer, "customer").id;
}
