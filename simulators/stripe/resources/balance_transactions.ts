/**
 * `/v1/balance_transactions`.
 *
 * @module
 */

import { listPage, PAGING_BY_TIME } from "../lists.ts";
import { currency, oneOf, text } from "../params.ts";
import { type Route, route } from "../route.ts";

const LIST_SHAPE = {
  ...PAGING_BY_TIME,
  currency: currency(),
  source: text(255),
  type: oneOf(
    "adjustment",
    "charge",
    "refund",
    "topup",
    "transfer",
    "transfer_refund",
  ),
};

/** List the movements of the balance. */
export const balanceTransactionRoutes: Route[] = [
  route(
    "GET",
    "/v1/balance_transactions",
    LIST_SHAPE,
    (call, params) =>
      listPage(
        call,
        "balance_transaction",
        "/v1/balance_transactions",
        params,
        {
          filed: ["source", params.source],
          where: ({ type }) =>
            params.type === undefined || params.type === type,
        },
      ),
  ),
];
