/**
 * Invoices before they are final: create and delete.
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

/** What an invoice is made with. */
export const CREATE_SHAPE = {
  auto_advance: inert("false"),
  automatic_tax: nested({ enabled: inert("false") }),
  collection_method: oneOf("charge_automatically", "send_invoice"),
  currency: currency(),
  custom_fields: emptyable(list(
    nested({ name: required(text(40)), value: required(text(140)) }),
    4,
  )),
  customer: required(text(255)),
  days_until_due: integer(0, 366),
  default_payment_method: text(255),
  default_tax_rates: emptyable(list(text(255), 5)),
  description: emptyable(text(1_500)),
  due_date: integer(0),
  footer: emptyable(text()),
  metadata: metadata(),
  payment_settings: nested({ payment_method_types: list(oneOf("card")) }),
  pending_invoice_items_behavior: oneOf("exclude", "include"),
  statement_descriptor: text(22),
};

/** Makes a draft; pending items join it only when asked to. */
export function createInvoice(
  call: Call,
  params: Read<typeof CREATE_SHAPE>,
): Invoice {
  const customer = call.get("customer", params.customer, "customer");
  const blank = call.put("invoice", newInvoice(call, customer.id));
  if (params.pending_invoice_items_behavior === "include") {
    for (const item of call.filed("invoiceitem", "customer", customer.id)) {
      if (item.invoice !== null) continue;
      call.put("invoiceitem", { ...item, invoice: blank.id });
    }
  }
  const invoice = filledIn(call, blank, params);
  call.emit("invoice.created", invoice);
  return invoice;
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

function filledIn(
  call: Call,
  blank: Invoice,
  params: Read<typeof CREATE_SHAPE>,
): Invoice {
  const { default_payment_method: method, default_tax_rates: rates } = params;
  const draft: Invoice = {
    ...blank,
    collection_method: params.collection_method ?? blank.collection_method,
    custom_fields: params.custom_fields ?? blank.custom_fields,
    default_payment_method: method === undefined
      ? blank.default_payment_method
      : ownedMethod(call, method, blank.customer, "default_payment_method").id,
    default_tax_rates: taxRates(call, rates ?? [], "default_tax_rates"),
    description: params.description ?? blank.description,
    due_date: dueDate(call, params),
    footer: params.footer ?? blank.footer,
    metadata: mergeMetadata({}, params.metadata),
    payment_settings: {
      ...blank.payment_settings,
      payment_method_types: params.payment_settings?.payment_method_types ??
        blank.payment_settings.payment_method_types,
    },
    statement_descriptor: params.statement_descriptor ??
      blank.statement_descriptor,
  };
  return call.put("invoice", recompute(call, draft));
}

function dueDate(
  call: Call,
  params: Read<typeof CREATE_SHAPE>,
): number | null {
  const { collection_method: method, days_until_due: days } = params;
  const given = days === undefined ? params.due_date : call.now + days * DAY_S;
  if (given !== undefined && method !== "send_invoice") {
    throw invalidRequest(
      "You can only specify a due date if collection method is 'send_invoice'.",
      { param: days === undefined ? "due_date" : "days_until_due" },
    );
  }
  if (given === undefined && method === "send_invoice") {
    throw invalidRequest(
      "If invoice collection method is 'send_invoice', you must specify " +
        "'due_date' or 'days_until_due'",
      { param: "days_until_due" },
    );
  }
  return given ?? null;
}
