import type { Services } from "../../domain/ports.ts";
import type { PublicRecords } from "../../domain/spotlights/public_records.ts";
import type { Gate, Surface } from "../route_table.ts";
import { preflight, PUBLIC_ANSWERS } from "./public_answer.ts";
import { sandboxRoutes } from "./sandbox.ts";
import { spotlightRoutes } from "./spotlights.ts";

/** What the public API is made of. */
export interface PublicApiParts {
  services: Pick<Services, "clock" | "store" | "settings">;
  records: PublicRecords;
  /** Takes a token of the public bucket; every request passes it. */
  rateLimit: Gate;
}

/** The public API under `/api/v1`, without authentication. */
export function publicApi(parts: PublicApiParts): Surface {
  return {
    prefix: "/api/v1",
    enter: [preflight, parts.rateLimit],
    routes: [
      ...spotlightRoutes(parts.records),
      ...sandboxRoutes(parts.services),
    ],
    answers: PUBLIC_ANSWERS,
  };
}
