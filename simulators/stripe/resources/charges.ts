/**
 * `/v1/charges`.
 *
 * @module
 */

import { listPage, PAGING_BY_TIME } from "../lists.ts";
import { text } from "../params.ts";
import { retrieveRoute, type Route, route } from "../route.ts";

const LIST_SHAPE = {
  ...PAGING_BY_TIME,
  customer: text(255),
  payment_intent: text(255),
};

/** Retrieve and list charges. */
export const chargeRoutes: Route[] = [
  route(
    "GET",
    "/v1/charges",
    LIST_SHAPE,
    (call, params) =>
      listPage(call, "charge", "/v1/charges", params, {
        filed: params.payment_intent === undefined
          ? ["customer", params.customer]
          : ["payment_intent", params.payment_intent],
        where: ({ customer }) =>
          params.customer === undefined || customer === params.customer,
      }),
  ),
  retrieveRoute("/v1/charges/:id", "charge"),
];
