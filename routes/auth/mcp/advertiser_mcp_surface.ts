import type { AuthInfo } from "@modelcontextprotocol/server";
import type { BearerGrant } from "../../../domain/oauth/grant.ts";
import { resourceMetadataUrl } from "../../../domain/oauth/resource.ts";
import type { Settings } from "../../../domain/ports.ts";
import { onceAdmitted, untilAdmitted } from "../../admission.ts";
import type { RouteServices } from "../../context.ts";
import { renderAdvertiserTools } from "../../errors/agent_surface.ts";
import { passAgain } from "../../http/authority.ts";
import { reachOf } from "../../mcp/reach.ts";
import { mcpServing } from "../../mcp/server.ts";
import { mcpSurface } from "../../mcp/surface.ts";
import { requireBearer } from "../../middleware/bearer.ts";
import {
  drawAhead,
  drawGrant,
  refuseEmptyGrant,
} from "../../middleware/rate_limit.ts";
import type { Surface } from "../../route_table.ts";
import { AGENT_OPERATIONS } from "../../operations/agent_operations.ts";
import { countCosts } from "../../operations/count_costs.ts";
import type { AdvertiserCaller } from "./advertiser_caller.ts";
import { advertiserServer } from "./advertiser_server.ts";

const ANSWERS = { refused: renderAdvertiserTools };

/**
 * `{auth_url}/mcp`, for OAuth grants. Who has no live token for it is refused
 * before anything is read; a request costs 1 of the grant's bucket, the same
 * one that the agent API draws on.
 */
export function advertiserMcpSurface(
  parts: RouteServices & { stopping: AbortSignal },
  operations = AGENT_OPERATIONS,
): Surface {
  const { services, stopping } = parts;
  const { settings, log } = services;
  const problems = { settings, log, answers: ANSWERS };
  return mcpSurface<AdvertiserCaller>({
    ...reachOf(settings, "auth"),
    ...problems,
    stopping,
    path: "/mcp",
    ...mcpServing(
      advertiserServer(parts, countCosts(parts, operations)),
      problems,
    ),
    enter: [
      requireBearer(parts, "mcp", drawAhead(parts)),
      drawGrant(parts),
      onceAdmitted(refuseEmptyGrant),
    ],
    isEarly: true,
    callerOf(context) {
      const { grant } = context.get("bearer");
      const { trace } = context.env;
      const authInfo = scopesOf(grant, settings);
      const admitted = untilAdmitted(context);
      const stillMay = () => passAgain(context);
      const network = context.get("network") ?? null;
      return {
        caller: { grant, network, admitted, stillMay, trace },
        authInfo,
      };
    },
  });
}

/** What challenges are made from. The token itself goes no further. */
function scopesOf(grant: BearerGrant, settings: Settings): AuthInfo {
  return {
    token: "",
    clientId: grant.clientId,
    scopes: [...grant.scopes],
    resourceMetadataUrl: resourceMetadataUrl(settings, "mcp"),
  };
}
