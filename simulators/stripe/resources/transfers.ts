/**
 * `/v1/transfers`.
 *
 * @module
 */

import { listPage, PAGING, PAGING_BY_TIME } from "../lists.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import { currency, integer, required, text } from "../params.ts";
import { type Route, route } from "../route.ts";
import { makeTransfer, withReversals } from "../transfer.ts";

const CREATE_SHAPE = {
  amount: required(integer(1)),
  currency: required(currency()),
  description: text(500),
  destination: required(text(255)),
  metadata: metadata(),
  transfer_group: text(255),
};

const LIST_SHAPE = {
  ...PAGING_BY_TIME,
  destination: text(255),
  transfer_group: text(255),
};

/** Create, retrieve and list transfers, and list what was taken back of one. */
export const transferRoutes: Route[] = [
  route("POST", "/v1/transfers", CREATE_SHAPE, (call, params) => {
    const transfer = makeTransfer(call, {
      destination: call.get("account", params.destination, "destination"),
      amount: params.amount,
      description: params.description ?? null,
      metadata: mergeMetadata({}, params.metadata),
      transfer_group: params.transfer_group ?? null,
    });
    return withReversals(call, transfer);
  }),
  route("GET", "/v1/transfers", LIST_SHAPE, (call, params) => {
    const { destination, transfer_group } = params;
    const found = listPage(call, "transfer", "/v1/transfers", params, {
      filed: transfer_group === undefined
        ? ["destination", destination]
        : ["transfer_group", transfer_group],
      where: (each) =>
        destination === undefined || each.destination === destination,
    });
    const data = found.data.map((each) => withReversals(call, each));
    return { ...found, data };
  }),
  route(
    "GET",
    "/v1/transfers/:id",
    {},
    (call, _, id = "") => withReversals(call, call.get("transfer", id)),
  ),
  route(
    "GET",
    "/v1/transfers/:id/reversals",
    PAGING,
    (call, params, id = "") => {
      const transfer = call.get("transfer", id);
      const path = `/v1/transfers/${id}/reversals`;
      return listPage(call, "transfer_reversal", path, params, {
        filed: ["transfer", transfer.id],
      });
    },
  ),
];
