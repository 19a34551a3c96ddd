import { parseDay } from "../day.ts";
import { type JobStatus, listJobRuns } from "../operations/list_job_runs.ts";
import type { Job } from "../operations/run_job.ts";
import type { Services } from "../ports.ts";
import { isSettlementLate } from "../settlement/settle_day.ts";
import { type AlertKind, alertName, ALERTS, type Trouble } from "./alert.ts";
import { isMailAway, isMailStillAway } from "./mail_away.ts";
import { isErasureStuck, listStuckErasures } from "./stuck_erasures.ts";

/** An ad that waits for longer wants a reviewer. */
const REVIEW_MS = 12 * 3_600_000;
/** Days whose books are looked at. */
const DAYS_MAX = 31;
/** Of each other kind so many are listed beside those that were told of. */
const EACH_MAX = 20;

type Reader = Pick<Services, "store" | "clock" | "log">;

/**
 * Everything that wants a person now, read from how things stand: what a crash
 * kept from being told is found the next time.
 *
 * @param told what operators were told of: it lasts until it is seen to be over,
 * also where there is more by now than is listed
 */
export async function findTroubles(
  services: Reader,
  jobs: readonly Job[],
  told: readonly Trouble[],
): Promise<Trouble[]> {
  const listed = await listTroubles(services, jobs, told);
  const names = new Set(listed.map(alertName));
  const others = told.filter((trouble) => !names.has(alertName(trouble)));
  const lasts = await Promise.all(
    others.map((trouble) => doesLast(services, jobs, trouble)),
  );
  return [...listed, ...others.filter((_, nth) => lasts[nth])];
}

/** Whether a trouble that is not listed is there all the same. */
async function doesLast(
  services: Reader,
  jobs: readonly Job[],
  { kind, subject }: Trouble,
): Promise<boolean> {
  const { store, clock } = services;
  if (kind === "mail_away") return await isMailStillAway(services);
  if (kind === "erasure_stuck") return await isErasureStuck(services, subject);
  if (kind === "job_late") {
    const statuses = await listJobRuns(services, jobs);
    return statuses.some(({ name, late }) => late && name === subject);
  }
  if (kind === "refund_failed") {
    const named = await store.invoiceNumbers.find(subject);
    const invoice = named && await store.invoices.find(named.invoiceId);
    return invoice?.money === "refund_failed";
  }
  const day = parseDay(subject);
  if (day === null) return false;
  if (kind === "books_differ") {
    const compared = await store.reconciliations.find(day);
    return compared !== null && compared.differences.length > 0;
  }
  if (kind === "refund_waits") {
    return await store.refundRequests.find(day) !== null;
  }
  if (kind !== "settlement_late") return false;
  const settlement = await store.settlements.find(day);
  return settlement !== null && settlement.state !== "settled" &&
    isSettlementLate(settlement, clock.now());
}

/**
 * The newest or the first of each kind: those that were told of, and so many more
 * as an operator can look at. What lasts hides nothing that is new.
 */
async function listTroubles(
  services: Reader,
  jobs: readonly Job[],
  told: readonly Trouble[],
): Promise<Trouble[]> {
  const { store, clock, log } = services;
  const nowMs = clock.now();
  const most = (wanted: AlertKind) => ({
    limit: EACH_MAX + told.filter(({ kind }) => kind === wanted).length,
  });
  const [
    settlements,
    days,
    ads,
    refunds,
    failed,
    erasures,
    events,
    late,
    isAway,
  ] = await Promise.all([
    store.listOpenSettlements(most("settlement_late")),
    store.listReconciliations({ limit: DAYS_MAX }),
    store.listSubmittedCreatives({ limit: 1 }),
    store.listRefundRequests(most("refund_waits")),
    store.listFailedRefunds(most("refund_failed")),
    listStuckErasures(services, most("erasure_stuck")),
    store.listTroubledWebhookEvents({ limit: EACH_MAX }),
    stuckJobs(services, jobs),
    isMailAway(services),
  ]);
  const refusedMs = log.lastErrorMs("processor.refused");
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
    ...named("erasure_stuck", erasures, (accountId) => accountId),
    ...named("job_late", late, (name) => name),
    ...when("review_waits", isWaiting),
    ...when("events_stuck", isStuck),
    ...when("processor_refuses", isRefused),
    ...when("mail_away", isAway),
  ];
}

/** The job that tells, in the table of jobs. */
export const TELLING_JOB = "tell operators";
/** It runs every hour: without a run for longer the machine was away. */
const AWAY_MS = 90 * 60_000;
/** So long after a start every job has had its turn. */
const TURNS_MS = 10 * 60_000;

/**
 * The jobs that have had no success for too long, while the service ran: after a
 * stop, or a machine that was suspended, all are late until they have had their
 * turn, and nobody needs telling.
 */
async function stuckJobs(
  services: Reader,
  jobs: readonly Job[],
): Promise<string[]> {
  const statuses = await listJobRuns(services, jobs);
  if (!hadTheirTurn(services, statuses)) return [];
  return statuses.filter(({ late }) => late).map(({ name }) => name);
}

function hadTheirTurn(
  { clock, log }: Reader,
  statuses: readonly JobStatus[],
): boolean {
  const nowMs = clock.now();
  const own = statuses.find(({ name }) => name === TELLING_JOB);
  const wasAway = own !== undefined &&
    nowMs - (own.lastSuccessMs ?? 0) > AWAY_MS;
  return !wasAway && nowMs - (log.startedMs ?? 0) >= TURNS_MS;
}

/** A refusal of the last minutes is looked at without waiting for the hour. */
const LATELY_MS = 2 * 60_000;

/** Whether the processor refused this process something it had no reason to. */
export function wasRefusedLately(
  { clock, log }: Pick<Services, "clock" | "log">,
): boolean {
  const refusedMs = log.lastErrorMs("processor.refused");
  return refusedMs !== null && clock.now() - refusedMs < LATELY_MS;
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
