import type { RehearsalServices } from "../../../domain/sandbox/rehearse.ts";
import type { Retrieval } from "../../../domain/retrieval/retrieval.ts";
import type { PublicRecords } from "../../../domain/spotlights/public_records.ts";
import { openServer, type OpenServerParts } from "../../mcp/open_server.ts";
import type { Surface } from "../../route_table.ts";
import { publicServer } from "./public_server.ts";

/** `{base_url}/mcp`, for anybody (contract §8.2). */
export function publicMcpSurface(
  parts: OpenServerParts & {
    records: PublicRecords;
    retrieval: Retrieval;
    services: RehearsalServices;
  },
): Surface {
  const { baseUrl } = parts.services.settings;
  return openServer(parts, "site", "/mcp", publicServer({ ...parts, baseUrl }));
}
