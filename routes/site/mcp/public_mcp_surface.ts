import type { Services } from "../../../domain/ports.ts";
import type { Retrieval } from "../../../domain/retrieval/retrieval.ts";
import type { PublicRecords } from "../../../domain/spotlights/public_records.ts";
import { reachOf } from "../../mcp/reach.ts";
import { mcpSurface } from "../../mcp/surface.ts";
import type { RateLimits } from "../../middleware/rate_limit.ts";
import type { Surface } from "../../route_table.ts";
import { PUBLIC_ANSWERS } from "../../errors/public_answers.ts";
import { publicGate } from "../../middleware/public_gate.ts";
import { type PublicCaller, publicServer } from "./public_server.ts";

/** What the public server's surface needs. */
export interface PublicMcpParts extends RateLimits {
  services: Pick<Services, "settings" | "log">;
  records: PublicRecords;
  retrieval: Retrieval;
  stopping: AbortSignal;
}

/**
 * `{base_url}/mcp`, for anybody. A request costs 1 of the public bucket,
 * whatever becomes of it (contract §8.2).
 */
export function publicMcpSurface(parts: PublicMcpParts): Surface {
  const { services: { settings, log }, records, retrieval, stopping } = parts;
  const problems = { settings, log, answers: PUBLIC_ANSWERS };
  const { baseUrl } = settings;
  return mcpSurface<PublicCaller>({
    ...reachOf(settings, "site"),
    ...problems,
    stopping,
    path: "/mcp",
    ...publicServer({ ...problems, records, retrieval, baseUrl }),
    enter: [publicGate(parts, settings)],
    callerOf: ({ env: { trace } }) => ({ caller: { trace } }),
  });
}
