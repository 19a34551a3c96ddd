import { renderOperator } from "../../errors/operator_surface.ts";
import { onThisMachine } from "../../middleware/this_machine.ts";
import type { Route, Surface } from "../../route_table.ts";
import { accountRoutes } from "./account_routes.ts";
import { archiveRoutes } from "./archive_routes.ts";
import { auctionRoutes } from "./auction_routes.ts";
import { holdRoutes } from "./hold_routes.ts";
import { moneyRoutes } from "./money_routes.ts";
import { requireOperatorKey } from "./operator_key.ts";
import type { OperatorParts } from "./operator_parts.ts";
import { reviewRoutes } from "./review_routes.ts";
import { storeRoutes } from "./store_routes.ts";
import { webhookEventRoutes } from "./webhook_event_routes.ts";

/** Where the operator API begins on `{base_url}`. */
export const OPERATOR_PREFIX = "/operator/v1";

/**
 * The operator's hand on days, Spotlights, accounts and the store, under
 * `{base_url}/operator/v1`.
 *
 * @param localRoutes further routes, for whoever asks from this machine
 */
export function operatorApi(
  parts: OperatorParts,
  localRoutes: (parts: OperatorParts) => readonly Route[] = () => [],
): Surface {
  return {
    prefix: OPERATOR_PREFIX,
    enter: [requireOperatorKey(parts)],
    routes: [
      ...accountRoutes(parts),
      ...archiveRoutes(parts),
      ...auctionRoutes(parts),
      ...holdRoutes(parts),
      ...moneyRoutes(parts),
      ...reviewRoutes(parts),
      ...storeRoutes(parts),
      ...webhookEventRoutes(parts),
      ...localRoutes(parts).map(onThisMachine),
    ],
    answers: { refused: renderOperator },
  };
}
