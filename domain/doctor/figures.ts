import { closesAtMs } from "../auction/auction.ts";
import { DUE_WORK, type Services } from "../ports.ts";
import { listJobRuns } from "../operations/list_job_runs.ts";
import type { Job } from "../operations/run_job.ts";

/** How old something is that should be young, ms. */
export interface Figure {
  of: "queue" | "job" | "settlement";
  name: string;
  ageMs: number;
}

/**
 * How far the service is behind its work: each queue by what has been due
 * longest, each job by its last success, settling by the oldest closed day. A job
 * that never succeeded has no figure; readiness tells of it.
 */
export async function readFigures(
  services: Pick<Services, "store" | "clock" | "settings">,
  jobs: readonly Job[],
): Promise<Figure[]> {
  const { store, clock, settings } = services;
  const nowMs = clock.now();
  const [runs, [unsettled], ...due] = await Promise.all([
    listJobRuns(services, jobs),
    store.listOpenSettlements({ limit: 1 }),
    ...DUE_WORK.map((work) => store.longestDueAtMs(work, nowMs)),
  ]);
  const settledFromMs = unsettled === undefined
    ? nowMs
    : closesAtMs(unsettled.day, settings.auctionHours);
  return [
    { of: "settlement", name: "", ageMs: Math.max(0, nowMs - settledFromMs) },
    ...DUE_WORK.map((name, at): Figure => {
      const atMs = due[at] ?? nowMs;
      return { of: "queue", name, ageMs: Math.max(0, nowMs - atMs) };
    }),
    ...runs.flatMap(({ name, lastSuccessMs }): Figure[] =>
      lastSuccessMs === null
        ? []
        : [{ of: "job", name, ageMs: Math.max(0, nowMs - lastSuccessMs) }]
    ),
  ];
}
