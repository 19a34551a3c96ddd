import { startTimer } from "../adapters/time/system_time.ts";
import { type Job, runJob } from "../domain/operations/run_job.ts";
import type { Services } from "../domain/ports.ts";
import { waitAtMost } from "../domain/operations/wait_at_most.ts";
import { advanceAuctionsJob } from "./advance_auctions.ts";
import { archiveDocumentsJob } from "./archive_documents.ts";
import { purgeArchiveJob } from "./archive_purge.ts";
import { deliverMailsJob } from "./deliver_mails.ts";
import { sweepCardsJob } from "./sweep_cards.ts";
import { sweepIdentitiesJob } from "./sweep_identities.ts";
import { lookIntoEventsJob } from "./look_into_events.ts";
import { reconcileJob } from "./reconcile.ts";
import { refundInvoicesJob } from "./refund_invoices.ts";
import { rotateClickSaltsJob } from "./rotate_click_salts.ts";
import { settlePaymentsJob } from "./settle_payments.ts";
import { sweepCustomersJob } from "./sweep_customers.ts";
import { verifyDueVatsJob } from "./verify_due_vats.ts";
import { warnOfExpiryJob } from "./warn_of_expiry.ts";

/** Every background job of the service. */
export const jobs: readonly Job[] = [
  advanceAuctionsJob,
  archiveDocumentsJob,
  deliverMailsJob,
  sweepCardsJob,
  sweepIdentitiesJob,
  lookIntoEventsJob,
  purgeArchiveJob,
  reconcileJob,
  refundInvoicesJob,
  rotateClickSaltsJob,
  settlePaymentsJob,
  sweepCustomersJob,
  verifyDueVatsJob,
  warnOfExpiryJob,
];

/** Given explicitly: platforms disagree about the default. */
const BACKOFF_MS = [1_000, 5_000, 20_000];

/** Calls a handler on a schedule until it is aborted, as `Deno.cron` does. */
export type Cron = (
  name: string,
  schedule: string,
  options: { backoffSchedule: number[]; signal: AbortSignal },
  handler: () => Promise<void>,
) => Promise<void>;

/** How long a stop waits for runs under way; what they did stands anyway. */
export const STOP_RUNS_MS = 5_000;

/** Jobs under way. */
export interface RunningJobs {
  /** Starts no more runs and waits for those under way, so long at most. */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Registers the jobs with cron. It has to happen before the service listens,
 * where the platform looks for cron definitions; the services come later. Each
 * job also runs once as soon as they have come, which catches up what was
 * missed. A failed run is tried again and then by the next tick.
 */
export function registerJobs(
  ready: Promise<Services>,
  cron: Cron = Deno.cron,
): RunningJobs {
  const stopping = new AbortController();
  // A run that waits for services of a start that failed would never end.
  const readyOrStopped = Promise.race([ready, aborted(stopping.signal)]);
  const underWay = new Set<Promise<void>>();
  const run = async (job: Job): Promise<void> => {
    const services = await readyOrStopped;
    if (services === null || stopping.signal.aborted) return;
    const running = runJob(services, job);
    underWay.add(running);
    await running.finally(() => underWay.delete(running));
  };
  const ended = jobs.map((job) => {
    // What failed is logged by runJob; the next tick tries again.
    run(job).catch(() => {});
    return cron(
      job.name,
      job.schedule,
      { backoffSchedule: BACKOFF_MS, signal: stopping.signal },
      () => run(job),
    );
  });
  return {
    async stop(graceMs = STOP_RUNS_MS) {
      stopping.abort();
      const runs = Promise.allSettled([...ended, ...underWay]);
      await waitAtMost(runs, graceMs, startTimer);
    },
  };
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(null), { once: true })
  );
}
