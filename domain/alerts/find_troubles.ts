import { listJobRuns } from "../operations/list_job_runs.ts";
import type { Job } from "../operations/run_job.ts";
import type { Services } from "../ports.ts";
import { isSettlementLate } from "../settlement/settle_day.ts";
import { type AlertKind, ALERTS, type Trouble } from "./alert.ts";

/** An ad that waits for longer wants a reviewer. */
const REVIEW_MS = 12 * 3_600_000;
/** Days whose books are looked at. */
const DAYS_MAX = 31;
/** Of each other kind so many are told of. */
const EACH_MAX = 20;

/**
 * Everything that wants a person now, read from how things stand: what a crash
 * kept from being told is found the next time.
 */
export async function findTroubles(
  services: Pick<Services, "store" | "clock" | "log">,
  jobs: readonly Job[],
): Promise<Trouble[]> {
  const { store, clock, log } = services;
  const nowMs = clock.now();
  const limit = EACH_MAX;
  const [settlements, days, ads, refunds, failed, events, late] = await Promise
    .all([
      store.listOpenSettlements({ limit }),
      store.listReconciliations({ limit: DAYS_MAX }),
      store.listSubmittedCreatives({ limit: 1 }),
      store.listRefundRequests({ limit }),
      store.listFailedRefunds({ limit }),
      store.listTroubledWebhookEvents({ limit }),
      stuckJobs(services, jobs),
    ]);
  const refusedMs = log.lastErrorMs?.("processor.refused") ?? null;
  const { overAfterMs } = ALERTS.processor_refuses;
  const isRefused = refusedMs !== null && nowMs - refusedMs < overAfterMs;
  const isWaiting = ads.some(({ submittedAtMs = nowMs }) =>
    nowMs - submittedAtMs >= REVIEW_MS
  );
  const isStuck = events.some(({ state }) => state === "stuck");
  return [
    ...named(
      "settlement_late",
      settlements.filter((each) => isSettlementLate(each, nowMs)),
      ({ day }) => day,
    ),
    ...named(
      "books_differ",
      days.filter(({ differences }) => differences.length > 0),
      ({ day }) => day,
    ),
    ...named("refund_failed", failed, ({ number }) => number),
    ...named("refund_waits", refunds, ({ day }) => day),
    ...named("job_late", late, (name) => name),
    ...when("review_waits", isWaiting),
    ...when("events_stuck", isStuck),
    ...when("processor_refuses", isRefused),
  ];
}

/** The job that tells, in the table of jobs. */
export const TELLING_JOB = "tell operators";
/** It runs every hour: without a run for longer the service was down. */
const DOWN_MS = 90 * 60_000;

/**
 * The jobs that have had no success for too long, while the service ran: after a
 * stop all are late until they have had their turn, and nobody needs telling.
 */
async function stuckJobs(
  services: Pick<Services, "store" | "clock">,
  jobs: readonly Job[],
): Promise<string[]> {
  const statuses = await listJobRuns(services, jobs);
  const own = statuses.find(({ name }) => name === TELLING_JOB);
  const sinceMs = services.clock.now() - (own?.lastSuccessMs ?? 0);
  if (own !== undefined && sinceMs > DOWN_MS) return [];
  return statuses.filter(({ late }) => late).map(({ name }) => name);
}

function named<T>(
  kind: AlertKind,
  found: readonly T[],
  subjectOf: (each: T) => string,
): Trouble[] {
  return found.map((each) => ({ kind, subject: subjectOf(each) }));
}

function when(kind: AlertKind, holds: boolean): Trouble[] {
  return holds ? [{ kind, subject: "" }] : [];
}
