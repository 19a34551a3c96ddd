/**
 * Invoices before they are final: create, change and delete.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { invalidRequest } from "../errors.ts";
import { recompute } from "../invoice_totals.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import type { Invoice } from "../objects.ts";
import {
  currency,
  emptyable,
  inert,
  integer,
  list,
  nested,
  oneOf,
  type Read,
  required,
  text,
} from "../params.ts";
import { ownedMethod } from "./payment_methods.ts";
import { taxRates } from "./tax_rates.ts";

const DAY_S = 24 * 60 * 60;

/** What may be changed while an invoice is a draft. */
export const UPDATE_SHAPE = {
  auto_advance: inert("false"),
  automatic_tax: nested({ enabled: inert("false") }),
  collection_method: oneOf("charge_automatically", "send_invoice"),
  custom_fields: emptyable(list(
    nested({ name: required(text(40)), value: required(text(140)) }),
    4,
  )),
  days_until_due: integer(0, 366),
  default_payment_method: text(255),
  default_tax_rates: emptyable(list(text(255), 5)),
  description: emptyable(text(1_500)),
  due_date: integer(0),
  footer: emptyable(text()),
  metadata: metadata(),
  statement_descriptor: text(22),
};

/** What an invoice is made with. */
export const CREATE_SHAPE = {
  ...UPDATE_SHAPE,
  currency: currency(),
  customer: required(text(255)),
  pending_invoice_items_behavior: oneOf("exclude", "include"),
};

/** The members that may be changed once an invoice is final. */
const EDITABLE = ["auto_advance", "default_payment_method", "metadata"];

/** Makes a draft; pending items join it only when asked to. */
export function createInvoice(
  call: Call,
  params: Read<typeof CREATE_SHAPE>,
): Invoice {
  const customer = call.customer(params.customer, "customer");
  const blank = call.put("invoice", newInvoice(call, customer.id));
  if (params.pending_invoice_items_behavior === "include") {
    for (const item of call.filed("invoiceitem", "customer", customer.id)) {
      if (item.invoice !== null) continue;
      call.put("invoiceitem", { ...item, invoice: blank.id });
    }
  }
  const invoice = change(call, blank, params);
  call.emit("invoice.created", invoice);
  return invoice;
}

/** Changes a draft, or the little that may change later. */
export function updateInvoice(
  call: Call,
  params: Read<typeof UPDATE_SHAPE>,
  id = "",
): Invoice {
  const invoice = call.get("invoice", id);
  const names = Object.keys(params).filter((name) => name !== "expand");
  const barred = names.find((name) => !EDITABLE.includes(name));
  if (invoice.status !== "draft" && barred !== undefined) {
    throw invalidRequest(
      `Finalized invoices can't be updated in this way (${barred})`,
      { code: "invoice_not_editable", param: barred },
    );
  }
  const changed = change(call, invoice, params);
  call.emit("invoice.updated", changed);
  return changed;
}

/** Deletes a draft with its items. */
export function deleteInvoice(call: Call, _: unknown, id = ""): unknown {
  const invoice = call.get("invoice", id);
  if (invoice.status !== "draft") {
    throw invalidRequest("You can only delete draft invoices.", {
      code: "invoice_not_editable",
    });
  }
  for (const item of call.filed("invoiceitem", "invoice", id)) {
    call.remove("invoiceitem", item.id);
  }
  call.remove("invoice", id);
  call.emit("invoice.deleted", invoice);
  return { id, object: "invoice", deleted: true };
}

function change(
  call: Call,
  old: Invoice,
  params: Read<typeof UPDATE_SHAPE>,
): Invoice {
  const kept = <T>(given: T | undefined, so: T): T =>
    given === undefined ? so : given;
  const method = params.default_payment_method;
  const rates = params.default_tax_rates;
  const changed: Invoice = {
    ...old,
    collection_method: kept(params.collection_method, old.collection_method),
    custom_fields: kept(params.custom_fields, old.custom_fields),
    default_payment_method: method === undefined
      ? old.default_payment_method
      : ownedMethod(call, method, old.customer, "default_payment_method").id,
    default_tax_rates: rates === undefined
      ? old.default_tax_rates
      : taxRates(call, rates ?? [], "default_tax_rates"),
    description: kept(params.description, old.description),
    due_date: dueDate(call, old, params),
    footer: kept(params.footer, old.footer),
    metadata: mergeMetadata(old.metadata, params.metadata),
    statement_descriptor: kept(
      params.statement_descriptor,
      old.statement_descriptor,
    ),
  };
  const isDraft = changed.status === "draft";
  return call.put("invoice", isDraft ? recompute(call, changed) : changed);
}

function dueDate(
  call: Call,
  old: Invoice,
  params: Read<typeof UPDATE_SHAPE>,
): number | null {
  const method = params.collection_method ?? old.collection_method;
  const { days_until_due: days, due_date } = params;
  const given = days === undefined ? due_date : call.now + days * DAY_S;
  if (given !== undefined && method === "charge_automatically") {
    throw invalidRequest(
      "You can only specify a due date if collection method is 'send_invoice'.",
      { param: days === undefined ? "due_date" : "days_until_due" },
    );
  }
  if (method === "send_invoice" && given === undefined && !old.due_date) {
    throw invalidRequest(
      "If invoice collection method is 'send_invoice', you must specify " +
        "'due_date' or 'days_until_due'",
      { param: "days_until_due" },
    );
  }
  return given ?? old.due_date;
}

function newInvoice(call: Call, customer: string): Invoice {
  const id = call.newId("in");
  return {
    id,
    object: "invoice",
    account_country: "AT",
    account_name: "Simulated seller",
    account_tax_ids: null,
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
    subtotal: 0,
    subtotal_excluding_tax: 0,
    test_clock: null,
    total: 0,
    total_discount_amounts: [],
    total_excluding_tax: 0,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
}
