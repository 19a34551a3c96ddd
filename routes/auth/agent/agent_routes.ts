import type { RouteServices } from "../../context.ts";
import { renderAgent } from "../../errors/agent_surface.ts";
import { requireBearer } from "../../middleware/bearer.ts";
import {
  drawAhead,
  drawGrant,
  refuseEmptyGrant,
} from "../../middleware/rate_limit.ts";
import type { Surface } from "../../route_table.ts";
import { AGENT_OPERATIONS } from "../../operations/agent_operations.ts";
import { AGENT_PREFIX } from "../../operations/operation.ts";
import { countCosts } from "../../operations/count_costs.ts";
import { routeOf } from "./agent_route.ts";

/** The agent API under `{auth_url}/v1/agent` (contract §7). */
export function agentSurface(
  parts: RouteServices,
  operations = AGENT_OPERATIONS,
): Surface {
  return {
    prefix: AGENT_PREFIX,
    routes: countCosts(parts, operations)
      .map((each) => routeOf(parts, each)),
    openToScripts: true,
    enter: [requireBearer(parts, "agent", drawAhead(parts)), drawGrant(parts)],
    proceed: [refuseEmptyGrant],
    answers: { refused: renderAgent },
  };
}
