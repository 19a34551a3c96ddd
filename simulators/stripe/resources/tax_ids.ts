/**
 * `/v1/customers/{id}/tax_ids`.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { invalidRequest } from "../errors.ts";
import { resourceMissing } from "../errors.ts";
import { listPage, PAGING } from "../lists.ts";
import type { TaxId } from "../objects.ts";
import { oneOf, required, text } from "../params.ts";
import { type Route, route } from "../route.ts";

/** How many tax ids an invoice shows (Stripe API); more are refused here. */
const MAX_TAX_IDS = 5;

/** What a tax id looks like, by type. */
export const FORMS = {
  eu_vat: /^[A-Z]{2}[0-9A-Z+*]{2,12}$/,
  gb_vat: /^GB[0-9A-Z]{5,12}$/,
  ch_vat: /^CHE.{9,15}$/,
  no_vat: /^[0-9]{9}MVA$/,
  us_ein: /^\d{2}-?\d{7}$/,
};

/** The parameters of a tax id. */
export const TAX_ID_SHAPE = {
  type: required(oneOf("eu_vat", "gb_vat", "ch_vat", "no_vat", "us_ein")),
  value: required(text(30)),
};

/** Create, list and delete the tax ids of a customer. */
export const taxIdRoutes: Route[] = [
  route(
    "POST",
    "/v1/customers/:id/tax_ids",
    TAX_ID_SHAPE,
    (call, { type, value }, id = "") =>
      createTaxId(call, call.get("customer", id).id, type, value),
  ),
  route(
    "GET",
    "/v1/customers/:id/tax_ids",
    PAGING,
    (call, params, id = "") =>
      listPage(call, "tax_id", `/v1/customers/${id}/tax_ids`, params, {
        filed: ["customer", call.get("customer", id).id],
      }),
  ),
  route(
    "DELETE",
    "/v1/customers/:id/tax_ids/:taxId",
    {},
    (call, _, id = "", taxId = "") => remove(call, find(call, id, taxId)),
  ),
];

/**
 * Gives a customer a tax id.
 *
 * @throws {ApiError} 400 `tax_id_invalid` when the form is wrong
 */
export function createTaxId(
  call: Call,
  customer: string,
  type: keyof typeof FORMS,
  value: string,
): TaxId {
  if (!FORMS[type].test(value)) {
    throw invalidRequest(`Invalid value for ${type}.`, {
      code: "tax_id_invalid",
      param: "value",
    });
  }
  if (call.filed("tax_id", "customer", customer).length >= MAX_TAX_IDS) {
    throw invalidRequest(`A customer can have at most ${MAX_TAX_IDS} tax IDs`);
  }
  const taxId = call.put("tax_id", {
    id: call.newId("txi"),
    object: "tax_id",
    country: type === "us_ein" ? "US" : value.slice(0, 2),
    created: call.now,
    customer,
    customer_account: null,
    livemode: false,
    owner: { type: "customer", customer },
    type,
    value,
    verification: {
      status: type === "eu_vat" ? "pending" : "unavailable",
      verified_address: null,
      verified_name: null,
    },
  });
  call.emit("customer.tax_id.created", taxId);
  return taxId;
}

function find(call: Call, customer: string, id: string): TaxId {
  const taxId = call.get("tax_id", id);
  if (taxId.customer === customer) return taxId;
  throw resourceMissing("tax_id", id, "id");
}

function remove(call: Call, taxId: TaxId): unknown {
  call.remove("tax_id", taxId.id);
  call.emit("customer.tax_id.deleted", taxId);
  return { id: taxId.id, object: "tax_id", deleted: true };
}
