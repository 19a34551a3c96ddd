/**
 * `/v1/events`.
 *
 * @module
 */

import { listPage, PAGING_BY_TIME } from "../lists.ts";
import { flag, list, text } from "../params.ts";
import { type Route, route } from "../route.ts";

const LIST_SHAPE = {
  ...PAGING_BY_TIME,
  delivery_success: flag(),
  type: text(100),
  types: list(text(100), 20),
};

/** List events of the last 30 days. */
export const eventRoutes: Route[] = [
  route(
    "GET",
    "/v1/events",
    LIST_SHAPE,
    (call, params) =>
      listPage(call, "event", "/v1/events", params, {
        where: ({ pending_webhooks, type }) =>
          (params.types === undefined || params.types.includes(type)) &&
          (params.type === undefined || matches(params.type, type)) &&
          (params.delivery_success === undefined ||
            params.delivery_success === (pending_webhooks === 0)),
      }),
  ),
];

/** A type, or a group of types ending in a wildcard: `charge.*`. */
function matches(wanted: string, type: string): boolean {
  return wanted.endsWith("*")
    ? type.startsWith(wanted.slice(0, -1))
    : type === wanted;
}
