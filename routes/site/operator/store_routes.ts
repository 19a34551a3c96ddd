import { listJobRuns } from "../../../domain/operations/list_job_runs.ts";
import { type Route, route } from "../../route_table.ts";
import type { OperatorParts } from "./operator_parts.ts";
import { isoOrNull, operatorAnswer } from "./operator_answer.ts";

/** How the jobs stand, and the whole store to take away. */
export function storeRoutes(
  { services, jobs, dump }: Pick<OperatorParts, "services" | "jobs" | "dump">,
): Route[] {
  return [
    route("GET", "/operator/v1/jobs", async () => {
      const standings = await listJobRuns(services, jobs);
      return operatorAnswer({
        jobs: standings.map(({ name, schedule, lastSuccessMs, late }) => ({
          name,
          schedule,
          lastSuccessAt: isoOrNull(lastSuccessMs),
          late,
        })),
      });
    }),
    route("GET", "/operator/v1/backup", () => {
      return new Response(dump(), {
        headers: {
          "content-type": "application/x-ndjson",
          "content-disposition": 'attachment; filename="spotlight.ndjson"',
          "cache-control": "no-store",
        },
      });
    }),
  ];
}
