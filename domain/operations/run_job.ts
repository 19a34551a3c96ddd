import { TemporaryFailure } from "../failure.ts";
import type { Services } from "../ports.ts";

/** A background job: safe to run twice, late, or after an outage of days. */
export interface Job {
  /** At most 256 characters, unique. */
  name: string;
  /** Cron expression, UTC. */
  schedule: string;
  /** Without a success for this long the job counts as late, ms. */
  lateAfterMs: number;
  /**
   * Whether it runs while the store is on hold: only what leaves the outside as
   * it is.
   */
  onHold: "runs" | "waits";
  /** Does all there is to do, or throws. */
  run(services: Services): Promise<void>;
}

/**
 * Runs a job and records that it had nothing left to do. One that waits for the
 * end of a hold is left alone until then.
 */
export async function runJob(services: Services, job: Job): Promise<void> {
  const { store, clock, log } = services;
  try {
    if (job.onHold === "waits" && await store.currentHold() !== null) return;
    await job.run(services);
    await store.transact((tx) => {
      tx.jobRuns.save({ name: job.name, lastSuccessMs: clock.now() });
    });
  } catch (error) {
    log.error("job.failed", { job: job.name, error: String(error) });
    await recordFirstFailure(services, job);
    throw error;
  }
}

/** From here on a job that never succeeded has its time, as others have. */
async function recordFirstFailure(
  { store, clock }: Services,
  { name }: Job,
): Promise<void> {
  try {
    await store.transact(async (tx) => {
      if (await tx.jobRuns.find(name) !== null) return;
      const firstFailureMs = clock.now();
      tx.jobRuns.save({ name, lastSuccessMs: 0, firstFailureMs });
    });
  } catch (error) {
    // A store that fails is told of by readiness itself.
    if (!(error instanceof TemporaryFailure)) throw error;
  }
}
