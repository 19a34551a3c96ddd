import type { Services } from "../../../domain/ports.ts";
import type { PublicRecords } from "../../../domain/spotlights/public_records.ts";
import type { RateLimits } from "../../middleware/rate_limit.ts";
import type { Route, Surface } from "../../route_table.ts";
import { PUBLIC_ANSWERS } from "../../errors/public_answers.ts";
import { publicGate } from "../../middleware/public_gate.ts";
import { sandboxRoutes } from "./sandbox.ts";
import { spotlightRoutes } from "./spotlights.ts";

/** What the public API is made of. */
export interface PublicApiParts extends RateLimits {
  services: Pick<Services, "clock" | "store" | "settings">;
  records: PublicRecords;
  /** Further operations. */
  operations?: readonly Route[];
}

/** The public API under `/api/v1`, without authentication. */
export function publicApi(parts: PublicApiParts): Surface {
  const { services, records, operations = [] } = parts;
  return {
    prefix: "/api/v1",
    openToScripts: true,
    enter: [publicGate(parts, services.settings)],
    routes: [
      ...spotlightRoutes(records),
      ...sandboxRoutes(parts),
      ...operations,
    ],
    answers: PUBLIC_ANSWERS,
  };
}
