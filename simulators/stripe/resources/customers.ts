/**
 * `/v1/customers`.
 *
 * @module
 */

import { address } from "../address.ts";
import type { Call } from "../call.ts";
import { invalidRequest } from "../errors.ts";
import {
  DEFAULT_LIMIT,
  listPage,
  MAX_LIMIT,
  PAGING_BY_TIME,
} from "../lists.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import type { Customer } from "../objects.ts";
import {
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
import { retrieveRoute, type Route, route } from "../route.ts";
import { attach, ownedMethod } from "./payment_methods.ts";
import { createTaxId, TAX_ID_SHAPE } from "./tax_ids.ts";

const LINE = emptyable(text(500));

const UPDATE_SHAPE = {
  address: address(),
  description: LINE,
  email: LINE,
  invoice_settings: nested({
    default_payment_method: emptyable(text(255)),
    footer: LINE,
  }),
  metadata: metadata(),
  name: LINE,
  phone: LINE,
  preferred_locales: list(text(20)),
  tax_exempt: emptyable(oneOf("none", "exempt", "reverse")),
  validate: inert("true", "false"),
};

const CREATE_SHAPE = {
  ...UPDATE_SHAPE,
  payment_method: text(255),
  tax_id_data: list(nested(TAX_ID_SHAPE), 5),
};

/** Create, retrieve, update, list and search customers. */
export const customerRoutes: Route[] = [
  route("POST", "/v1/customers", CREATE_SHAPE, create),
  route(
    "GET",
    "/v1/customers",
    { ...PAGING_BY_TIME, email: text(500) },
    (call, params) =>
      listPage(call, "customer", "/v1/customers", params, {
        filed: ["email", params.email],
      }),
  ),
  route("GET", "/v1/customers/search", {
    query: required(text(500)),
    limit: integer(1, MAX_LIMIT),
    page: text(255),
  }, search),
  retrieveRoute("/v1/customers/:id", "customer"),
  route("POST", "/v1/customers/:id", UPDATE_SHAPE, update),
  route(
    "DELETE",
    "/v1/customers/:id",
    {},
    (call, _, id = "") => remove(call, call.get("customer", id)),
  ),
];

/** The only query that is answered: one member of the metadata has one value. */
const OF_METADATA = /^metadata\["([\w-]{1,40})"\]:"([\w-]{1,500})"$/;

/** What is new is found at once, where the real processor takes up to a minute. */
function search(
  call: Call,
  { query, limit = DEFAULT_LIMIT, page }: {
    query: string;
    limit: number | undefined;
    page: string | undefined;
  },
): unknown {
  const [, name = "", value] = OF_METADATA.exec(query) ?? [];
  if (value === undefined) {
    throw invalidRequest("We were unable to parse your search query.", {
      param: "query",
    });
  }
  const { customer: table } = call.setting.books.tables;
  const found: Customer[] = [];
  const before = page === undefined ? undefined : Number(page);
  for (const each of table.newestFirst(before)) {
    if (each.metadata[name] === value) found.push(each);
    if (found.length > limit) break;
  }
  const data = found.slice(0, limit);
  const last = data.at(-1);
  const has_more = found.length > limit;
  return {
    object: "search_result",
    data,
    has_more,
    next_page: has_more && last ? String(table.place(last.id)) : null,
    url: "/v1/customers/search",
  };
}

/** Its cards can't be charged any more; its invoices and payments stay. */
function remove(call: Call, customer: Customer): unknown {
  for (const method of call.filed("payment_method", "customer", customer.id)) {
    call.put("payment_method", { ...method, customer: null });
  }
  call.remove("customer", customer.id);
  call.emit("customer.deleted", customer);
  return { id: customer.id, object: "customer", deleted: true };
}

function create(call: Call, params: Read<typeof CREATE_SHAPE>): Customer {
  const customer = change(newCustomer(call), params);
  call.put("customer", customer);
  call.emit("customer.created", customer);
  for (const { type, value } of params.tax_id_data ?? []) {
    createTaxId(call, customer.id, type, value);
  }
  if (params.payment_method !== undefined) {
    attach(call, params.payment_method, customer.id, "payment_method");
  }
  return setDefaultMethod(call, customer, params);
}

function update(
  call: Call,
  params: Read<typeof UPDATE_SHAPE>,
  id = "",
): Customer {
  const before = call.get("customer", id);
  const changed = change(before, params);
  const customer = setDefaultMethod(call, changed, params);
  call.put("customer", customer);
  call.emit("customer.updated", customer, before);
  return customer;
}

function change(
  old: Customer,
  params: Read<typeof UPDATE_SHAPE>,
): Customer {
  const { invoice_settings: settings } = params;
  const footer = settings?.footer === undefined
    ? old.invoice_settings.footer
    : settings.footer;
  return {
    ...old,
    address: params.address === undefined ? old.address : params.address,
    description: params.description === undefined
      ? old.description
      : params.description,
    email: params.email === undefined ? old.email : params.email,
    invoice_settings: { ...old.invoice_settings, footer },
    metadata: mergeMetadata(old.metadata, params.metadata),
    name: params.name === undefined ? old.name : params.name,
    phone: params.phone === undefined ? old.phone : params.phone,
    preferred_locales: params.preferred_locales ?? old.preferred_locales,
    tax_exempt: params.tax_exempt === undefined
      ? old.tax_exempt
      : params.tax_exempt ?? "none",
  };
}

function setDefaultMethod(
  call: Call,
  customer: Customer,
  { invoice_settings: settings }: Read<typeof UPDATE_SHAPE>,
): Customer {
  const given = settings?.default_payment_method;
  if (given === undefined) return customer;
  const param = "invoice_settings[default_payment_method]";
  const method = given === null
    ? null
    : ownedMethod(call, given, customer.id, param);
  return call.put("customer", {
    ...customer,
    invoice_settings: {
      ...customer.invoice_settings,
      default_payment_method: method?.id ?? null,
    },
  });
}

function newCustomer(call: Call): Customer {
  return {
    id: call.newId("cus"),
    object: "customer",
    address: null,
    balance: 0,
    created: call.now,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: call.newSecret().slice(0, 8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: null,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
  };
}
