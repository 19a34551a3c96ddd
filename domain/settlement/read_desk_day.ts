/**
 * A day as operators see it: its settlement, and what became of each candidate
 * beside it.
 *
 * @module
 */
import { type Calendar, hasBegun } from "../auction/auction.ts";
import { OPEN_AHEAD_DAYS } from "../auction/open_auction.ts";
import { addDays, type Day, dayOf } from "../day.ts";
import type { DayNotice } from "../events/day_notice.ts";
import type { ArchiveTask } from "../invoices/archive_task.ts";
import type { Invoice } from "../invoices/invoice.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import type { OutboxMail } from "../mail/outbox_mail.ts";
import type { Services } from "../ports.ts";
import { type DayBefore, readDayBefore } from "./day_before.ts";
import { type DayReport, readDayReport } from "./read_day_report.ts";
import type { Candidate } from "./settlement.ts";

/** Entries of one payment that are shown: its sale, refunds and disputes. */
const ENTRIES_MAX = 20;
/** Days that a page of them has. */
const DAYS_SHOWN = 14;

/** A candidate, and what was written because of it. */
export interface DeskCandidate {
  candidate: Candidate;
  /** Null until it is final. */
  invoice: Invoice | null;
  archived: ArchiveTask | null;
  /** What was booked of its payment. */
  entries: readonly LedgerEntry[];
  /** The mail that tells its owner; null once it is not kept any more. */
  mail: OutboxMail | null;
}

/** All that operators are shown of a day. */
export interface DeskDay extends DayReport {
  day: Day;
  /** Whether it can be closed before its hour. */
  hasBegun: boolean;
  /** Whether its auction can be opened before its hour. */
  isOpenable: boolean;
  /** Whether its books can be compared. */
  isOver: boolean;
  /** What ends where it is closed before its hour. */
  before: DayBefore;
  /** In the order of the ranking. */
  candidates: readonly DeskCandidate[];
  /** Bidders that are still to be told; null once all of them are. */
  untold: { closed: DayNotice | null; settled: DayNotice | null };
}

type DeskServices = Pick<Services, "store" | "clock" | "settings">;

/** One day with all that its settlement brought about. */
export async function readDeskDay(
  services: DeskServices,
  { day }: { day: Day },
): Promise<DeskDay> {
  const { store, clock } = services;
  const nowMs = clock.now();
  const today = dayOf(nowMs);
  const report = await readDayReport(services, day);
  const [[closed, settled], before, candidates] = await Promise.all([
    store.getMany([
      store.dayNotices.ref(`${day}:closed`),
      store.dayNotices.ref(`${day}:settled`),
    ]),
    readDayBefore(services, day),
    Promise.all(
      (report.settlement?.candidates ?? []).map((candidate) =>
        readCandidate(services, candidate)
      ),
    ),
  ]);
  return {
    ...report,
    day,
    hasBegun: hasBegun(day, nowMs),
    isOpenable: report.state.phase === "IDLE" && day >= today &&
      day <= addDays(today, OPEN_AHEAD_DAYS),
    isOver: day < today,
    before,
    candidates,
    untold: { closed, settled },
  };
}

async function readCandidate(
  { store }: DeskServices,
  candidate: Candidate,
): Promise<DeskCandidate> {
  const { invoiceId, mailId } = candidate;
  const [invoice, mail] = await Promise.all([
    invoiceId === null ? null : store.invoices.find(invoiceId),
    mailId === undefined ? null : store.outbox.find(mailId),
  ]);
  if (invoice === null) {
    return { candidate, invoice, archived: null, entries: [], mail };
  }
  const { number, paymentId } = invoice;
  const [archived, entries] = await Promise.all([
    store.archiveTasks.find(number),
    paymentId === null
      ? []
      : store.listLedgerOfPayment(paymentId, { limit: ENTRIES_MAX }),
  ]);
  return { candidate, invoice, archived, entries, mail };
}

/** A page of days, newest first. */
export interface DeskDays {
  days: readonly (DayReport & { day: Day })[];
  /** The day that the next page begins before; null on the last. */
  older: Day | null;
}

/**
 * The days before one, or those up to today where none is named, back to the
 * launch.
 */
export async function readDeskDays(
  services: DeskServices,
  { before }: { before: Day | null },
): Promise<DeskDays> {
  const { store, clock } = services;
  const today = dayOf(clock.now());
  const calendar = await store.calendar.find();
  const newest = before === null || before > today
    ? today
    : addDays(before, -1);
  const wanted = daysBack(newest, calendar);
  const days = await Promise.all(
    wanted.map(async (day) => ({ ...await readDayReport(services, day), day })),
  );
  const last = wanted.at(-1);
  const isMore = last !== undefined && last > (calendar?.launchDay ?? last);
  return { days, older: isMore ? last : null };
}

function daysBack(newest: Day, calendar: Calendar | null): Day[] {
  const first = calendar?.launchDay ?? newest;
  return Array.from({ length: DAYS_SHOWN }, (_, n) => addDays(newest, -n))
    .filter((day) => day >= first);
}
