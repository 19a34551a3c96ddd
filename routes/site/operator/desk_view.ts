import { type Alert, ALERTS } from "../../../domain/alerts/alert.ts";
import { addDays, type Day, dayOf } from "../../../domain/day.ts";
import type { Hold } from "../../../domain/hold/hold.ts";
import { listJobRuns } from "../../../domain/operations/list_job_runs.ts";
import type { Job } from "../../../domain/operations/run_job.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  type DayReport,
  readDayReport,
} from "../../../domain/settlement/read_day_report.ts";
import type { Count } from "../ui/counts.tsx";
import {
  ACCOUNTS_PATH,
  JOBS_PATH,
  MONEY_PATH,
  PARTNERS_PATH,
  REPORTS_PATH,
  REVIEW_PATH,
} from "./paths.ts";

/** So many of each are counted; of more there is said that there are more. */
const COUNTED_MAX = 100;
/** Days whose comparison with the processor is looked at. */
export const COMPARED_DAYS = 31;

/** A day and how it stands. */
export type DeskDay = DayReport & { day: Day };

/** What an operator looks at first. */
export interface Desk {
  hold: Hold | null;
  /** The auction of today, which ends tonight. */
  tonight: DeskDay;
  /** The day that is shown now. */
  lastNight: DeskDay;
  /** What operators were told of and is not over, the oldest first. */
  alerts: readonly OpenAlert[];
  /** What waits for an operator. */
  waiting: readonly Count[];
}

/** A trouble that operators were told of. */
export type OpenAlert = Alert & { trouble: NonNullable<Alert["trouble"]> };

type DeskServices = Pick<Services, "store" | "clock">;

/** Reads how the service stands and what waits for an operator. */
export async function readDesk(
  services: DeskServices,
  jobs: readonly Job[],
): Promise<Desk> {
  const { store, clock } = services;
  const today = dayOf(clock.now());
  const [hold, tonight, lastNight, alerts, failing, waiting] = await Promise
    .all([
      store.currentHold(),
      readDay(services, today),
      readDay(services, addDays(today, -1)),
      store.listAlerts({ limit: COUNTED_MAX }),
      failingJobs(services, jobs),
      readWaiting(services),
    ]);
  return {
    hold,
    tonight,
    lastNight,
    alerts: alerts.filter(isOpen)
      .toSorted((one, other) => one.sinceMs - other.sinceMs),
    waiting: [failing, ...waiting],
  };
}

async function readDay(services: DeskServices, day: Day): Promise<DeskDay> {
  return { ...await readDayReport(services, day), day };
}

function isOpen(alert: Alert): alert is OpenAlert {
  // A row of a later version may be of a kind that is not known here.
  return alert.trouble !== null && Object.hasOwn(ALERTS, alert.trouble.kind);
}

async function failingJobs(
  services: DeskServices,
  jobs: readonly Job[],
): Promise<Count> {
  const statuses = await listJobRuns(services, jobs);
  const failing = statuses
    .filter(({ late, failures }) => late || failures !== null);
  return {
    found: failing.length,
    max: jobs.length + 1,
    href: JOBS_PATH,
    names: ["job late or failing", "jobs late or failing"],
  };
}

async function readWaiting(
  { store }: Pick<Services, "store">,
): Promise<Count[]> {
  const limit = COUNTED_MAX;
  const [
    creatives,
    reports,
    accounts,
    applications,
    days,
    refunds,
    events,
    disputes,
    asked,
  ] = await Promise.all([
    store.listSubmittedCreatives({ limit }),
    store.listOpenAdReports({ limit }),
    store.listWaitingAccounts({ limit }),
    store.listWaitingPartners({ limit, after: null }),
    store.listReconciliations({ limit: COMPARED_DAYS }),
    store.listFailedRefunds({ limit }),
    store.listTroubledWebhookEvents({ limit }),
    store.listUndecidedDisputes({ limit }),
    store.listRefundRequests({ limit }),
  ]);
  const differing = days.filter(({ differences }) => differences.length > 0);
  const count = (
    found: readonly unknown[],
    href: string,
    ...names: Count["names"]
  ): Count => ({ found: found.length, max: limit, href, names });
  return [
    count(creatives, REVIEW_PATH, "ad to review", "ads to review"),
    count(
      reports,
      REPORTS_PATH,
      "report by a reader",
      "reports by readers",
    ),
    count(
      accounts,
      ACCOUNTS_PATH,
      "account to decide about",
      "accounts to decide about",
    ),
    count(
      applications,
      PARTNERS_PATH,
      "application to be a partner",
      "applications to be a partner",
    ),
    count(
      differing,
      MONEY_PATH,
      "day on which the books differ",
      "days on which the books differ",
    ),
    count(asked, MONEY_PATH, "refund to confirm", "refunds to confirm"),
    count(refunds, MONEY_PATH, "refund that failed", "refunds that failed"),
    count(
      events,
      MONEY_PATH,
      "notice of the processor not processed",
      "notices of the processor not processed",
    ),
    count(disputes, MONEY_PATH, "open dispute", "open disputes"),
  ];
}
