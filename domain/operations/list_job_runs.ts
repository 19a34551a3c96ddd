import { type Hold, isActiveHold } from "../hold/hold.ts";
import { isLate, type JobFailures } from "./job_run.ts";
import { nextRunMs } from "./next_run.ts";
import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";
import type { Job } from "./run_job.ts";

/** How a background job stands. */
export interface JobStatus {
  name: string;
  schedule: string;
  /** Null: it never did all it had to. */
  lastSuccessMs: number | null;
  /** When it runs by itself again. */
  nextMs: number;
  /** Since its last success; null for none. */
  failures: JobFailures | null;
  late: boolean;
}

/** The last success of each job, in their order. */
export async function listJobRuns(
  { store, clock }: Pick<Services, "store" | "clock">,
  jobs: readonly Job[],
): Promise<JobStatus[]> {
  const hold = await store.holds.find();
  const refs = jobs.map(({ name }) => store.jobRuns.ref(name));
  const runs = await readAll(store, refs);
  const nowMs = clock.now();
  return jobs.map((job, nth) => {
    const { name, schedule } = job;
    const run = runs[nth] ?? null;
    // 0 stands for never.
    const lastSuccessMs = run?.lastSuccessMs || null;
    const late = !isExcused(job, hold, nowMs) &&
      isLate(run, job.lateAfterMs, nowMs);
    return {
      name,
      schedule,
      lastSuccessMs,
      nextMs: nextRunMs(schedule, nowMs),
      failures: run?.failures ?? null,
      late,
    };
  });
}

/** A job that waited for the end of a hold has its time from then on. */
function isExcused(
  { onHold, lateAfterMs }: Job,
  hold: Hold | null,
  nowMs: number,
): boolean {
  if (onHold === "runs" || hold === null) return false;
  return isActiveHold(hold) || nowMs - (hold.releasedAtMs ?? 0) <= lateAfterMs;
}

/** The jobs without a recent success; an empty list means none is late. */
export async function lateJobs(
  services: Pick<Services, "store" | "clock">,
  jobs: readonly Job[],
): Promise<string[]> {
  const statuses = await listJobRuns(services, jobs);
  return statuses.filter(({ late }) => late).map(({ name }) => name);
}
