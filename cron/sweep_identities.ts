import { sweepIdentities } from "../domain/identity/sweep_identities.ts";
import type { Job } from "../domain/operations/run_job.ts";

/** Looks at the checks of identity of which nothing was heard. */
export const sweepIdentitiesJob: Job = {
  name: "look at identities",
  schedule: "*/5 * * * *",
  lateAfterMs: 60 * 60_000,
  onHold: "waits",
  run: sweepIdentities,
};
