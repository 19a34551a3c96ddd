import { type Job, runJob } from "../domain/operations/run_job.ts";
import type { Services } from "../domain/ports.ts";
import { advanceAuctionsJob } from "./advance_auctions.ts";

/** Every background job of the service. */
export const jobs: readonly Job[] = [advanceAuctionsJob];

/** Given explicitly: platforms disagree about the default. */
const BACKOFF_MS = [1_000, 5_000, 20_000];

/** Registers the jobs; a failed run is tried again and then by the next tick. */
export function registerJobs(
  services: Services,
  signal: AbortSignal,
): void {
  for (const job of jobs) {
    Deno.cron(
      job.name,
      job.schedule,
      { backoffSchedule: BACKOFF_MS, signal },
      () => runJob(services, job),
    ).catch((error) => {
      services.log.error("cron.ended", { job: job.name, error: String(error) });
    });
  }
}
