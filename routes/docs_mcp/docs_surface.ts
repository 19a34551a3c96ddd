import { openServer, type OpenServerParts } from "../mcp/open_server.ts";
import type { Surface } from "../route_table.ts";
import { docsServer } from "./docs_server.ts";
import type { DocsRetrieval } from "./docs_tools.ts";

/** `{docs_mcp_url}`, for anybody (contract §8.4). */
export function docsMcpSurface(
  parts: OpenServerParts & { retrieval: DocsRetrieval },
): Surface {
  const { services: { settings }, retrieval } = parts;
  const { pathname } = new URL(settings.docsMcpUrl);
  const server = docsServer(retrieval, settings);
  return openServer(parts, "docs_mcp", pathname, server);
}
