import { nameOfThrown, TemporaryFailure } from "../failure.ts";
import type { Services } from "../ports.ts";
import type { JobRun } from "./job_run.ts";

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

/** How long a success waits for other jobs to end, ms. */
const RECORDED_WITHIN_MS = 60_000;

/**
 * Jobs of a process that run side by side. The last of them to end writes down
 * the successes of all: one commit a minute instead of one a job.
 */
export class JobsUnderWay {
  #count = 0;
  /** By job, when it had nothing left to do. */
  #successes = new Map<string, number>();

  /** Counts a job that begins. */
  begin(): void {
    this.#count += 1;
  }

  /** Counts a job that ended; null if it failed, or did nothing. */
  async end(
    { store, clock }: Pick<Services, "store" | "clock">,
    success: JobRun | null,
  ): Promise<void> {
    this.#count -= 1;
    if (success !== null) {
      this.#successes.set(success.name, success.lastSuccessMs);
    }
    const sinceMs = clock.now() - Math.min(...this.#successes.values());
    if (this.#count > 0 && sinceMs < RECORDED_WITHIN_MS) return;
    const written = this.#successes;
    if (written.size === 0) return;
    this.#successes = new Map();
    try {
      await store.transact((tx) => {
        for (const [name, lastSuccessMs] of written) {
          tx.jobRuns.save({ name, lastSuccessMs });
        }
      });
    } catch (failure) {
      // The next one to end tries again.
      this.#successes = new Map([...written, ...this.#successes]);
      throw failure;
    }
  }
}

/**
 * Runs a job and records that it had nothing left to do, with others that run
 * beside it. One that waits for the end of a hold is left alone until then.
 */
export async function runJob(
  services: Services,
  job: Job,
  underWay: JobsUnderWay = new JobsUnderWay(),
): Promise<void> {
  const { store, clock, log } = services;
  underWay.begin();
  let isRunning = true;
  try {
    const waits = job.onHold === "waits" && await store.currentHold() !== null;
    if (!waits) await job.run(services);
    isRunning = false;
    const run = { name: job.name, lastSuccessMs: clock.now() };
    await underWay.end(services, waits ? null : run);
  } catch (error) {
    log.error("job.failed", { job: job.name, error: String(error) });
    await recordFailure(services, job, error);
    // What others have done is no matter of this job.
    if (isRunning) await underWay.end(services, null).catch(() => {});
    throw error;
  }
}

/**
 * Counts the failure. From the first one on, a job that never succeeded has its
 * time, as others have.
 */
async function recordFailure(
  { store, clock }: Services,
  { name }: Job,
  error: unknown,
): Promise<void> {
  const called = nameOfThrown(error);
  try {
    await store.transact(async (tx) => {
      const run = await tx.jobRuns.find(name);
      const nowMs = clock.now();
      const count = (run?.failures?.count ?? 0) + 1;
      const failures = { count, lastMs: nowMs, error: called };
      tx.jobRuns.save({
        ...run ?? { name, lastSuccessMs: 0, firstFailureMs: nowMs },
        failures,
      });
    });
  } catch (failure) {
    // A store that fails is told of by readiness itself.
    if (!(failure instanceof TemporaryFailure)) throw failure;
  }
}
