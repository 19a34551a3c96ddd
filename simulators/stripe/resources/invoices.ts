/**
 * `/v1/invoices`: the life of an invoice.
 *
 * @module
 */

import { type Call, checkChargeable } from "../call.ts";
import { invalidRequest } from "../errors.ts";
import {
  actionRequired,
  finalizeInvoice,
  markVoid,
  paymentOf,
} from "../invoice_settlement.ts";
import { listPage, PAGING_BY_TIME } from "../lists.ts";
import type { Invoice, PaymentIntent } from "../objects.ts";
import { flag, inert, oneOf, type Read, text } from "../params.ts";
import { attemptPayment, cancelPayment } from "../payments.ts";
import { retrieveRoute, type Route, route } from "../route.ts";
import {
  CREATE_SHAPE,
  createInvoice,
  deleteInvoice,
} from "./invoice_drafts.ts";
import { ownedMethod } from "./payment_methods.ts";

const LIST_SHAPE = {
  ...PAGING_BY_TIME,
  collection_method: oneOf("charge_automatically", "send_invoice"),
  customer: text(255),
  status: oneOf("draft", "open", "paid", "uncollectible", "void"),
};

const PAY_SHAPE = {
  off_session: flag(),
  paid_out_of_band: inert("false"),
  payment_method: text(255),
};

/** Create, read, finalize, pay, void and delete invoices. */
export const invoiceRoutes: Route[] = [
  route("POST", "/v1/invoices", CREATE_SHAPE, createInvoice),
  route(
    "GET",
    "/v1/invoices",
    LIST_SHAPE,
    (call, params) =>
      listPage(call, "invoice", "/v1/invoices", params, {
        filed: ["customer", params.customer],
        where: (invoice) => isWanted(invoice, params),
      }),
  ),
  retrieveRoute("/v1/invoices/:id", "invoice"),
  route("DELETE", "/v1/invoices/:id", {}, deleteInvoice),
  route(
    "POST",
    "/v1/invoices/:id/finalize",
    { auto_advance: inert("false") },
    (call, _, id = "") => finalizeInvoice(call, call.get("invoice", id)),
  ),
  route("POST", "/v1/invoices/:id/pay", PAY_SHAPE, pay),
  route("POST", "/v1/invoices/:id/void", {}, voidInvoice),
];

function pay(call: Call, params: Read<typeof PAY_SHAPE>, id = ""): Invoice {
  const given = call.get("invoice", id);
  const invoice = given.status === "draft"
    ? finalizeInvoice(call, given)
    : given;
  if (invoice.status === "paid" && given.status === "draft") return invoice;
  if (invoice.status === "paid") {
    throw invalidRequest("Invoice is already paid");
  }
  const intent = openIntent(call, invoice);
  checkChargeable(invoice.amount_remaining);
  const tried = attemptPayment(call, intent, {
    method: methodFor(call, invoice, params.payment_method),
    offSession: params.off_session ?? true,
    refusesAction: false,
    returnUrl: null,
  });
  if (tried.status === "requires_action") throw actionRequired(tried);
  return call.get("invoice", id);
}

function voidInvoice(call: Call, _: unknown, id = ""): Invoice {
  const invoice = call.get("invoice", id);
  const intent = openIntent(call, invoice);
  cancelPayment(call, intent, "void_invoice");
  return markVoid(call, invoice);
}

function openIntent(call: Call, invoice: Invoice): PaymentIntent {
  const found = paymentOf(call, invoice);
  if (invoice.status !== "open" || found === null) throw notOpen();
  if (found.intent.status !== "processing") return found.intent;
  throw invalidRequest(
    "This invoice has a payment that is still processing. Wait until it has " +
      "succeeded or failed.",
    { code: "payment_intent_unexpected_state" },
  );
}

function notOpen(): Error {
  return invalidRequest(
    "You can only pass in open invoices. This invoice isn't open.",
  );
}

function methodFor(
  call: Call,
  invoice: Invoice,
  given: string | undefined,
): ReturnType<typeof ownedMethod> {
  const customer = call.get("customer", invoice.customer, "customer");
  const id = given ?? invoice.default_payment_method ??
    customer.invoice_settings.default_payment_method;
  if (id !== null) return ownedMethod(call, id, customer.id, "payment_method");
  throw invalidRequest(
    "There is no `default_payment_method` set on this Customer or Invoice. " +
      "Please set a `default_payment_method`.",
    { param: "payment_method" },
  );
}

function isWanted(invoice: Invoice, params: Read<typeof LIST_SHAPE>): boolean {
  const { collection_method, status } = params;
  return (status === undefined || invoice.status === status) &&
    (collection_method === undefined ||
      invoice.collection_method === collection_method);
}
