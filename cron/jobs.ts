import { startTimer } from "../adapters/time/system_time.ts";
import {
  TELLING_JOB,
  wasRefusedLately,
} from "../domain/alerts/find_troubles.ts";
import { sendAlerts } from "../domain/alerts/send_alerts.ts";
import { verifyDueVats } from "../domain/accounts/verify_due_vats.ts";
import { endCallbacks } from "../domain/callbacks/end_callbacks.ts";
import { sweepCallbacks } from "../domain/callbacks/sweep_callbacks.ts";
import { sweepCards } from "../domain/cards/sweep_cards.ts";
import { warnOfExpiry } from "../domain/cards/warn_of_expiry.ts";
import { metricsConsequences } from "../domain/checkout/metrics_consequences.ts";
import { rotateClickSalts } from "../domain/clicks/click_salt.ts";
import { sweepIdentities } from "../domain/identity/sweep_identities.ts";
import { notifyBidders } from "../domain/settlement/notify_bidders.ts";
import { archiveDocuments } from "../domain/invoices/archive_documents.ts";
import { purgeArchive } from "../domain/invoices/purge_archive.ts";
import { refundDueInvoices } from "../domain/invoices/refund_invoice.ts";
import { deliverMails } from "../domain/mail/deliver_mails.ts";
import { backUpStore } from "../domain/operations/back_up_store.ts";
import { endLeftKeys } from "../domain/operator_keys/end_left_keys.ts";
import { migrateStore } from "../domain/operations/migrate_store.ts";
import {
  type Job,
  JobsUnderWay,
  runJob,
} from "../domain/operations/run_job.ts";
import { waitAtMost } from "../domain/operations/wait_at_most.ts";
import { advanceCommissions } from "../domain/partners/advance_commissions.ts";
import { syncAccounts } from "../domain/partners/sync_account.ts";
import { sendPayouts } from "../domain/partners/send_payouts.ts";
import { settlePayments } from "../domain/paid_metrics/settle_payments.ts";
import { sweepCustomers } from "../domain/payments/sweep_customers.ts";
import { fulfilRequests } from "../domain/privacy/fulfil_requests.ts";
import type { Services, StartTimer } from "../domain/ports.ts";
import { askAgain } from "../domain/release/ask_again.ts";
import { reconcile } from "../domain/reconciliation/reconcile.ts";
import { advanceAuctions } from "../domain/settlement/advance_auctions.ts";
import { WEBHOOK_HANDLERS } from "../domain/webhooks/handlers.ts";
import { sweepEvents } from "../domain/webhooks/sweep_events.ts";

/** Every background job of the service: what calls which verb, and when. */
export const JOBS = {
  /** Opens, closes and settles whatever the clock says is due. */
  advanceAuctions: {
    name: "advance auctions",
    schedule: "* * * * *",
    lateAfterMs: 5 * 60_000,
    onHold: "runs",
    async run(services) {
      const { failedDays, isLate } = await advanceAuctions(services);
      if (isLate || wasRefusedLately(services)) {
        await sendAlerts(services, jobs);
      }
      if (failedDays.length > 0) {
        throw new Error(`Cannot advance ${failedDays.join(", ")}`);
      }
    },
  },
  /** Counts the commissions that no process has counted, and makes statements. */
  advanceCommissions: {
    name: "advance commissions",
    // What is committed is counted at once, and a start runs every job.
    schedule: "41 */6 * * *",
    lateAfterMs: 13 * 3_600_000,
    onHold: "waits",
    run: advanceCommissions,
  },
  /** Writes what has changed to the place of continuous backups. */
  backUpStore: {
    name: "back up store",
    schedule: "* * * * *",
    lateAfterMs: 10 * 60_000,
    onHold: "runs",
    run: backUpStore,
  },
  /** Brings rows of earlier versions to this one's shapes. */
  migrateStore: {
    name: "migrate store",
    schedule: "* * * * *",
    lateAfterMs: 15 * 60_000,
    onHold: "runs",
    run: migrateStore,
  },
  /** Archives printed invoices and credit notes that no process has archived. */
  archiveDocuments: {
    name: "archive documents",
    schedule: "* * * * *",
    lateAfterMs: 15 * 60_000,
    onHold: "waits",
    run: archiveDocuments,
  },
  /** Ends the keys of whoever is no operator any more. */
  endKeys: {
    name: "end keys",
    // The list of operators changes with a start, which runs every job.
    schedule: "52 * * * *",
    lateAfterMs: 3 * 3_600_000,
    onHold: "runs",
    run: endLeftKeys,
  },
  /** Delivers what the pump of no process has delivered. */
  deliverMails: {
    name: "deliver mails",
    schedule: "* * * * *",
    lateAfterMs: 10 * 60_000,
    onHold: "runs",
    run: deliverMails,
  },
  /** Tells bidders and callbacks what a process that died did not tell. */
  tellOfEvents: {
    name: "tell of events",
    // Whatever is committed is told at once, and a start runs every job.
    schedule: "13-59/30 * * * *",
    lateAfterMs: 2 * 3_600_000,
    onHold: "waits",
    async run(services) {
      await notifyBidders(services);
      await sweepCallbacks(services);
      await endCallbacks(services);
    },
  },
  /** Finishes removals of cards, and compares cards with the processor's. */
  sweepCards: {
    name: "keep cards",
    schedule: "3-59/5 * * * *",
    lateAfterMs: 15 * 60_000,
    onHold: "waits",
    run: sweepCards,
  },
  /** Syncs the identity checks of which nothing was heard. */
  sweepIdentities: {
    name: "look at identities",
    schedule: "1-59/10 * * * *",
    lateAfterMs: 60 * 60_000,
    onHold: "waits",
    run: sweepIdentities,
  },
  /** Processes the processor's events that no process's pump has processed. */
  lookIntoEvents: {
    name: "look into webhook events",
    schedule: "* * * * *",
    lateAfterMs: 10 * 60_000,
    onHold: "waits",
    run: (services) =>
      sweepEvents({ services, handlers: WEBHOOK_HANDLERS, startTimer }),
  },
  /** Removes what interrupted writing left in the archive. */
  purgeArchive: {
    name: "purge archive",
    schedule: "23 * * * *",
    lateAfterMs: 3 * 3_600_000,
    onHold: "waits",
    run: purgeArchive,
  },
  /**
   * Takes over what a release could not, and compares the books, and partners'
   * accounts, with the processor's, every night.
   */
  reconcile: {
    name: "reconcile money",
    // A processor that was away at half past two is asked again every hour of
    // the morning.
    schedule: "30 2-11 * * *",
    lateAfterMs: 36 * 3_600_000,
    onHold: "waits",
    async run(services) {
      await askAgain(services);
      if (await reconcile(services) === 0) return;
      await syncAccounts(services);
      await sendAlerts(services, jobs);
    },
  },
  /** Refunds invoices whose refund is due. */
  refundInvoices: {
    name: "refund invoices",
    schedule: "* * * * *",
    lateAfterMs: 15 * 60_000,
    onHold: "waits",
    run: refundDueInvoices,
  },
  /** Destroys what visitors of earlier days were hashed with. */
  rotateClickSalts: {
    name: "rotate click salts",
    // Hourly, so that a missed midnight is made up for soon.
    schedule: "1 * * * *",
    lateAfterMs: 3 * 3_600_000,
    onHold: "runs",
    run: rotateClickSalts,
  },
  /** Sends the payouts that partners asked for. */
  sendPayouts: {
    name: "send payouts",
    // What is asked for is sent at once.
    schedule: "47 * * * *",
    lateAfterMs: 3 * 3_600_000,
    onHold: "waits",
    run: sendPayouts,
  },
  /** Syncs the payments for figures that no request waits for any more. */
  settlePayments: {
    name: "settle payments for figures",
    schedule: "* * * * *",
    lateAfterMs: 15 * 60_000,
    onHold: "waits",
    run: (services) => settlePayments(services, metricsConsequences(services)),
  },
  /** Makes and changes the processor's customers after companies were saved. */
  sweepCustomers: {
    name: "tell processor of companies",
    schedule: "* * * * *",
    lateAfterMs: 60 * 60_000,
    onHold: "waits",
    run: sweepCustomers,
  },
  /** Does what owners asked for about their data and no process has done. */
  fulfilRequests: {
    name: "fulfil data requests",
    // Copies are prepared as soon as they are asked for.
    schedule: "41 * * * *",
    lateAfterMs: 6 * 3_600_000,
    onHold: "waits",
    run: fulfilRequests,
  },
  /** Tells operators what wants them, what is over, and of yesterday. */
  sendAlerts: {
    name: TELLING_JOB,
    schedule: "17 * * * *",
    lateAfterMs: 3 * 3_600_000,
    onHold: "waits",
    run: (services) => sendAlerts(services, jobs),
  },
  /** Checks again the VAT ids whose registry could not be asked. */
  verifyDueVats: {
    name: "verify VAT ids",
    schedule: "*/10 * * * *",
    lateAfterMs: 60 * 60_000,
    onHold: "waits",
    run: verifyDueVats,
  },
  /** Mails the owners of cards that expire soon. */
  warnOfExpiry: {
    name: "warn of expiring cards",
    schedule: "12 * * * *",
    lateAfterMs: 6 * 3_600_000,
    onHold: "waits",
    run: warnOfExpiry,
  },
} as const satisfies Record<string, Job>;

/** The same, as a list. */
export const jobs: readonly Job[] = Object.values(JOBS);

/** After a failed run it is tried again so much later. */
const PAUSES_MS = [1_000, 5_000, 20_000];

/** Calls a handler on a schedule until it is aborted, as `Deno.cron` does. */
export type Cron = (
  name: string,
  schedule: string,
  options: { signal: AbortSignal },
  handler: () => Promise<void>,
) => Promise<void>;

/** Runs a job where it is seen by what watches the service. */
export type Observe = (
  name: string,
  run: () => Promise<void>,
) => Promise<void>;

/** How long a stop waits for runs under way; what they did stands anyway. */
const STOP_RUNS_MS = 5_000;

/** Jobs under way. */
export interface RunningJobs {
  /** Starts no more runs and waits for those under way, so long at most. */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Registers the jobs with cron. It has to happen before the service listens,
 * where the platform looks for cron definitions; the services come later. Each
 * job also runs once as soon as they have come, which catches up what was
 * missed. A failed run is tried again and then by the next tick: here, since what
 * is left to cron it prints as lines of its own, beside the log.
 */
export function registerJobs(
  ready: Promise<Services>,
  cron: Cron = Deno.cron,
  timer: StartTimer = startTimer,
  observe: Observe = (_name, run) => run(),
): RunningJobs {
  const stopping = new AbortController();
  // A run that waits for services of a start that failed would never end.
  const readyOrStopped = Promise.race([ready, aborted(stopping.signal)]);
  const underWay = new Set<Promise<void>>();
  const together = new JobsUnderWay();
  const run = async (job: Job): Promise<void> => {
    const services = await readyOrStopped;
    if (services === null || stopping.signal.aborted) return;
    const running = observe(
      `job ${job.name}`,
      () => runJob(services, job, together),
    );
    underWay.add(running);
    await running.finally(() => underWay.delete(running));
  };
  const ended = jobs.map((job) => {
    // What failed is logged by runJob; the next tick tries again.
    run(job).catch(() => {});
    const { signal } = stopping;
    return cron(job.name, job.schedule, { signal }, async () => {
      for (const pauseMs of [0, ...PAUSES_MS]) {
        await pause(pauseMs, signal, timer);
        // What failed is logged by runJob.
        if (signal.aborted || await run(job).then(() => true, () => false)) {
          return;
        }
      }
    });
  });
  return {
    async stop(graceMs = STOP_RUNS_MS) {
      stopping.abort();
      const runs = Promise.allSettled([...ended, ...underWay]);
      await waitAtMost(runs, graceMs, startTimer);
    },
  };
}

/** Waits so long, or until it is aborted. */
async function pause(
  ms: number,
  signal: AbortSignal,
  timer: StartTimer,
): Promise<void> {
  if (ms === 0 || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const callOff = timer(resolve, ms);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  callOff();
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(null), { once: true })
  );
}
