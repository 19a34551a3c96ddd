import type { Services } from "../ports.ts";
import { type Job, runJob } from "./run_job.ts";

/** What came of a run that an operator asked for. */
export type JobOutcome = "ran" | "waited" | "failed";

/**
 * Runs a job by an operator's decision, beside its own runs. A failure is an
 * outcome, and so stays in the audit as an act that was done; it was logged and
 * counted where it failed.
 *
 * @returns `waited` where it did nothing, since the store is on hold
 */
export async function runJobNow(
  services: Services,
  job: Job,
): Promise<JobOutcome> {
  const isWaiting = job.onHold === "waits" &&
    await services.store.currentHold() !== null;
  try {
    await runJob(services, job);
  } catch {
    return "failed";
  }
  return isWaiting ? "waited" : "ran";
}
