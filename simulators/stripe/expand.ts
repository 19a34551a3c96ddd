/**
 * `expand`: shows objects whole where an answer has only their ids.
 *
 * @module
 */

import type { Call } from "./call.ts";
import { invalidRequest } from "./errors.ts";
import type { Page, TableName } from "./objects.ts";

/**
 * Expansions go four levels deep at most (Stripe API), `data` of a list being
 * one of them: the deepest of a list is `data.payment_intent.customer.…`.
 */
const MAX_DEPTH = 4;

const TABLES: Record<string, TableName> = {
  acct: "account",
  ch: "charge",
  cn: "credit_note",
  cs: "checkout_session",
  cus: "customer",
  du: "dispute",
  ii: "invoiceitem",
  in: "invoice",
  inpay: "invoice_payment",
  pi: "payment_intent",
  pm: "payment_method",
  re: "refund",
  seti: "setup_intent",
  spt: "granted_token",
  tr: "transfer",
  trr: "transfer_reversal",
  txn: "balance_transaction",
};

/** Lists that are left out of an object unless asked for. */
const LISTS: Record<string, [table: TableName, index: string, path: string]> = {
  "charge.refunds": ["refund", "charge", "/v1/charges/:id/refunds"],
  "customer.tax_ids": ["tax_id", "customer", "/v1/customers/:id/tax_ids"],
  "invoice.payments": [
    "invoice_payment",
    "invoice",
    "/v1/invoice_payments?invoice=:id",
  ],
};

/**
 * Expands an answer.
 *
 * @param paths properties by name, inner ones behind a dot
 * @throws {ApiError} 400 for a property that can not be expanded
 */
export function expandAnswer(
  call: Call,
  body: unknown,
  paths: string[],
): unknown {
  return paths.reduce((expanded: unknown, path) => {
    const parts = path.split(".");
    if (parts.length > MAX_DEPTH) throw notExpandable(path);
    return expand(call, expanded, parts, path);
  }, body);
}

function expand(
  call: Call,
  value: unknown,
  parts: string[],
  path: string,
): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) {
    return value.map((each) => expand(call, each, parts, path));
  }
  const object = typeof value === "string" ? lookUp(call, value, path) : value;
  const [part, ...rest] = parts;
  if (part === undefined) return object;
  if (typeof object !== "object") throw notExpandable(path);
  const named = object as Record<string, unknown>;
  const inner = Object.hasOwn(named, part)
    ? named[part]
    : embeddedList(call, named, part);
  if (inner === undefined) throw notExpandable(path);
  return { ...named, [part]: expand(call, inner, rest, path) };
}

function lookUp(call: Call, id: string, path: string): unknown {
  const table = TABLES[id.slice(0, id.indexOf("_"))];
  const object = table === undefined ? undefined : call.find(table, id);
  if (object === undefined) throw notExpandable(path);
  return object;
}

function embeddedList(
  call: Call,
  object: Record<string, unknown>,
  part: string,
): Page<unknown> | undefined {
  const [table, index, path] = LISTS[`${object.object}.${part}`] ?? [];
  if (table === undefined || index === undefined) return undefined;
  const id = String(object.id);
  const data = call.filed(table, index, id);
  const url = String(path).replace(":id", id);
  return {
    object: "list",
    data: data.slice(0, 10),
    has_more: data.length > 10,
    url,
  };
}

function notExpandable(path: string): Error {
  return invalidRequest(`This property cannot be expanded (${path}).`, {
    param: "expand",
  });
}
