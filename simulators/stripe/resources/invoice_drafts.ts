/**
 * Invoices before they are final: create, change and delete.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { invalidRequest } from "../errors.ts";
import { newInvoice } from "../invoice.ts";
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
  call.emit("invoice.updated", changed, invoice);
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
