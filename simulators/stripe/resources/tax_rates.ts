/**
 * `/v1/tax_rates`.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { invalidRequest } from "../errors.ts";
import { listPage, PAGING_BY_TIME } from "../lists.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import type { TaxRate } from "../objects.ts";
import { decimal, flag, oneOf, type Read, required, text } from "../params.ts";
import { type Route, route } from "../route.ts";

const CREATE_SHAPE = {
  active: flag(),
  country: text(2),
  description: text(),
  display_name: required(text(50)),
  inclusive: required(flag()),
  jurisdiction: text(50),
  metadata: metadata(),
  percentage: required(decimal(0, 100)),
  tax_type: oneOf("vat"),
};

/** Create and list tax rates. */
export const taxRateRoutes: Route[] = [
  route("POST", "/v1/tax_rates", CREATE_SHAPE, create),
  route(
    "GET",
    "/v1/tax_rates",
    { ...PAGING_BY_TIME, active: flag(), inclusive: flag() },
    (call, { active, inclusive, ...paging }) =>
      listPage(call, "tax_rate", "/v1/tax_rates", paging, {
        where: (rate) =>
          (active === undefined || rate.active === active) &&
          (inclusive === undefined || rate.inclusive === inclusive),
      }),
  ),
];

/**
 * The rates behind ids.
 *
 * @throws {ApiError} 400 for an unknown or inactive rate, or a mixture of
 * inclusive and exclusive ones
 */
export function taxRates(call: Call, ids: string[], param: string): TaxRate[] {
  const rates = ids.map((id) => call.get("tax_rate", id, param));
  const kinds = new Set(rates.map((rate) => rate.inclusive));
  if (rates.every((rate) => rate.active) && kinds.size < 2) return rates;
  throw invalidRequest(
    "Tax rates must be active, and all inclusive or all exclusive",
    { param },
  );
}

function create(call: Call, params: Read<typeof CREATE_SHAPE>): TaxRate {
  return call.put("tax_rate", {
    id: call.newId("txr"),
    object: "tax_rate",
    active: params.active ?? true,
    country: params.country ?? null,
    created: call.now,
    description: params.description ?? null,
    display_name: params.display_name,
    effective_percentage: null,
    flat_amount: null,
    inclusive: params.inclusive,
    jurisdiction: params.jurisdiction ?? null,
    jurisdiction_level: null,
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    percentage: params.percentage,
    rate_type: "percentage",
    state: null,
    tax_type: params.tax_type ?? null,
  });
}
