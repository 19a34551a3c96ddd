import type { Services } from "../../../domain/ports.ts";
import { beginCopy } from "../../middleware/copies.ts";
import { grantWith } from "../../middleware/bearer.ts";
import type { RateLimits } from "../../middleware/rate_limit.ts";
import {
  type AgentOperation,
  placeOf,
  routePathOf,
} from "../../operations/operation.ts";
import { overHttp } from "../../operations/over_http.ts";
import { type Route, route } from "../../route_table.ts";

/** Serves an operation of the agent API over HTTP. */
export function routeOf(
  parts: RateLimits & { services: Services },
  operation: AgentOperation,
): Route {
  const { method } = placeOf(operation);
  const handle = overHttp(parts.services, operation);
  return {
    ...route(
      method,
      routePathOf(operation),
      async (context) => {
        const grant = grantWith(context, operation.scope);
        if (operation.kind === "download" && operation.isCopy) {
          await beginCopy(context, parts, grant.accountId);
        }
        return await handle(grant, context);
      },
    ),
    ...operation.kind !== "download" && { isEarly: true },
  };
}
