import type { Settings } from "../../domain/ports.ts";
import type { RouteServices } from "../context.ts";
import { reachOf } from "../mcp/reach.ts";
import { mcpSurface } from "../mcp/surface.ts";
import type { Surface } from "../route_table.ts";
import { PUBLIC_ANSWERS } from "../errors/public_answers.ts";
import { publicGate } from "../middleware/public_gate.ts";
import { docsServer } from "./docs_server.ts";
import type { DocsCaller, DocsRetrieval } from "./docs_tools.ts";

/** What the documentation server's surface needs. */
export interface DocsMcpParts extends RouteServices {
  retrieval: DocsRetrieval;
  stopping: AbortSignal;
}

/**
 * `{docs_mcp_url}`, for anybody. A request costs 1 of the public bucket,
 * whatever becomes of it (contract §8.4).
 */
export function docsMcpSurface(parts: DocsMcpParts): Surface {
  const { services: { settings, log }, retrieval, stopping } = parts;
  const problems = { settings, log, answers: PUBLIC_ANSWERS };
  return mcpSurface<DocsCaller>({
    ...reachOf(settings, "docs_mcp"),
    ...problems,
    stopping,
    path: pathOf(settings),
    ...docsServer({ ...problems, retrieval }),
    enter: [publicGate(parts, settings)],
    callerOf: ({ env: { trace } }) => ({ caller: { trace } }),
  });
}

function pathOf({ docsMcpUrl }: Pick<Settings, "docsMcpUrl">): string {
  return new URL(docsMcpUrl).pathname;
}
