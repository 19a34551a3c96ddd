import { actAs } from "../../../domain/audit/act_as.ts";
import { isoOrNull } from "../../../domain/day.ts";
import { listJobRuns } from "../../../domain/operations/list_job_runs.ts";
import { runJobNow } from "../../../domain/operations/run_job_now.ts";
import type { Route } from "../../route_table.ts";
import { jobOf } from "./job_slugs.ts";
import { operation } from "./operation.ts";
import type { OperatorParts } from "./operator_parts.ts";

/** The operator's hand on background jobs: how they stand, and a run now. */
export function jobRoutes({ services, jobs }: OperatorParts): Route[] {
  return [
    operation("GET", "/jobs", async () => {
      const standings = await listJobRuns(services, jobs);
      return {
        jobs: standings.map(({ name, schedule, lastSuccessMs, late }) => ({
          name,
          schedule,
          lastSuccessAt: isoOrNull(lastSuccessMs),
          late,
        })),
      };
    }),
    operation("POST", "/jobs/:job/run", async ({ param, by }) => {
      const job = jobOf(jobs, param("job"));
      const outcome = await actAs(
        services,
        { by, act: "job.run", subject: job.name },
        (acting) => runJobNow(acting, job),
      );
      return { job: job.name, outcome };
    }),
  ];
}
