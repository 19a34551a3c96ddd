import type { Services } from "../../../domain/ports.ts";
import { grantWith } from "../../middleware/bearer.ts";
import {
  type AgentOperation,
  placeOf,
  routePathOf,
} from "../../operations/operation.ts";
import { overHttp } from "../../operations/over_http.ts";
import { type Route, route } from "../../route_table.ts";

/** Serves an operation of the agent API over HTTP. */
export function routeOf(services: Services, operation: AgentOperation): Route {
  const { method } = placeOf(operation);
  const handle = overHttp(services, operation);
  return {
    ...route(
      method,
      routePathOf(operation),
      (context) => handle(grantWith(context, operation.scope), context),
    ),
    ...operation.kind !== "download" && { isEarly: true },
  };
}
