import type { RouteServices } from "../context.ts";
import { PUBLIC_ANSWERS } from "../errors/public_answers.ts";
import type { HostKind } from "../hosts.ts";
import { publicGate, questionGate } from "../middleware/public_gate.ts";
import type { RateLimits } from "../middleware/rate_limit.ts";
import type { Surface } from "../route_table.ts";
import { reachOf } from "./reach.ts";
import { type AnyCaller, mcpServing, type ServerDefinition } from "./server.ts";
import { mcpSurface } from "./surface.ts";

/** What the surface of a server for anybody needs. */
export interface OpenServerParts extends RateLimits {
  services: Pick<RouteServices["services"], "settings" | "log">;
  stopping: AbortSignal;
}

/**
 * The surface of a server for anybody. A request costs 1 of the public bucket,
 * whatever becomes of it (contract §8.2, §8.4).
 */
export function openServer(
  parts: OpenServerParts,
  host: HostKind,
  path: string,
  definition: ServerDefinition<AnyCaller>,
): Surface {
  const { services: { settings, log }, stopping } = parts;
  const problems = { settings, log, answers: PUBLIC_ANSWERS };
  return mcpSurface<AnyCaller>({
    ...reachOf(settings, host),
    ...problems,
    stopping,
    path,
    ...mcpServing(definition, problems),
    enter: [publicGate(parts, settings), questionGate(parts, settings)],
    callerOf: ({ env: { trace } }) => ({ caller: { trace } }),
  });
}
