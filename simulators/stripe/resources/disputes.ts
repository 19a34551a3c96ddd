/**
 * `/v1/disputes`.
 *
 * @module
 */

import { listPage, PAGING_BY_TIME } from "../lists.ts";
import { text } from "../params.ts";
import { retrieveRoute, type Route, route } from "../route.ts";

const LIST_SHAPE = {
  ...PAGING_BY_TIME,
  charge: text(255),
  payment_intent: text(255),
};

/** Retrieve and list disputes. */
export const disputeRoutes: Route[] = [
  route(
    "GET",
    "/v1/disputes",
    LIST_SHAPE,
    (call, params) =>
      listPage(call, "dispute", "/v1/disputes", params, {
        filed: params.charge === undefined
          ? ["payment_intent", params.payment_intent]
          : ["charge", params.charge],
        where: ({ payment_intent }) =>
          params.payment_intent === undefined ||
          payment_intent === params.payment_intent,
      }),
  ),
  retrieveRoute("/v1/disputes/:id", "dispute"),
];
