import type { Account } from "../accounts/account.ts";
import { DAY_MS } from "../day.ts";
import type { Dispute } from "../disputes/dispute.ts";
import type { ArchiveTask } from "../invoices/archive_task.ts";
import type { Invoice } from "../invoices/invoice.ts";
import type { RefundRequest } from "../invoices/refund_request.ts";
import {
  LEDGER_ACCOUNTS,
  type LedgerAccount,
  type LedgerEntry,
} from "../ledger/entry.ts";
import type { Services } from "../ports.ts";
import {
  listTroubledEvents,
  type TroubledEvents,
} from "../webhooks/list_troubled_events.ts";
import type { Reconciliation } from "./reconciliation.ts";
import { requireOperator } from "../accounts/require_operator.ts";
import {
  readUnderSeal,
  type UnderSeal,
  unsealedEntries,
} from "../settlement/under_seal.ts";

/** Days a report looks back. */
export const REPORT_DAYS = 31;
/** Entries a report adds up; a service that books more says so. */
const ENTRIES_MAX = 20_000;
/** Entries, refunds, disputes and documents that are named. */
const NAMED_MAX = 50;
/** Failed refunds that are: a person alone ends them, so they may be many. */
const FAILED_MAX = 500;

/** What moved on one account of the books, cents. */
export interface AccountTotals {
  account: LedgerAccount;
  debitCents: number;
  /** Not negative. */
  creditCents: number;
}

/** The state of the money, for the operator. */
export interface MoneyReport {
  readAtMs: number;
  /** What is told without its amount; nothing is booked of it here. */
  sealed: UnderSeal;
  /** Events of the processor that could not be processed so far. */
  troubledEvents: TroubledEvents;
  /** Newest day first. */
  reconciliations: readonly Reconciliation[];
  /** Those that may still cost money, longest open first. */
  openDisputes: readonly Dispute[];
  /** Money that is to be given back and was not yet. */
  refundsUnderWay: readonly Invoice[];
  /** Refunds that wait for another operator. */
  refundRequests: readonly RefundRequest[];
  /** Money that could not be given back: a person has to. Newest invoice first. */
  refundsFailed: readonly Invoice[];
  /** Documents that are not in the archive. */
  unarchived: readonly ArchiveTask[];
  /** Of disputes, refunds or documents there are more than are named. */
  isCut: boolean;
  totals: readonly AccountTotals[];
  /** Newest first. */
  entries: readonly LedgerEntry[];
  /** There are more entries than the totals add up. */
  isPartial: boolean;
}

/**
 * Reads the state of the money of the last days.
 *
 * @throws {Refused} `not_found` for whoever is no operator
 */
export async function readMoneyReport(
  { store, clock, settings }: Pick<Services, "store" | "clock" | "settings">,
  reader: Account,
): Promise<MoneyReport> {
  requireOperator(reader, settings);
  const now = clock.now();
  const ever = now + 3_650 * DAY_MS;
  const since = now - REPORT_DAYS * DAY_MS;
  const [
    reconciliations,
    openDisputes,
    refundsUnderWay,
    refundsFailed,
    unarchived,
    newest,
    troubledEvents,
    refundRequests,
    sealed,
  ] = await Promise.all([
    store.listReconciliations({ limit: REPORT_DAYS }),
    // One more is read than is named, which says that there are more.
    store.listUndecidedDisputes({ limit: NAMED_MAX + 1 }),
    store.listDue("refunds", ever, { limit: NAMED_MAX + 1 }),
    store.listFailedRefunds({ limit: FAILED_MAX + 1 }),
    store.listDue("archiving", ever, { limit: NAMED_MAX + 1 }),
    store.listLedgerBetween(since, now, {
      limit: ENTRIES_MAX,
      reverse: true,
    }),
    listTroubledEvents({ store }),
    store.listRefundRequests({ limit: NAMED_MAX + 1 }),
    readUnderSeal({ store }),
  ]);
  const shown = unsealedEntries(sealed, newest);
  let isCut = false;
  const named = <T>(read: readonly T[], max = NAMED_MAX) => {
    isCut ||= read.length > max;
    return read.slice(0, max);
  };
  return {
    readAtMs: now,
    sealed,
    troubledEvents,
    reconciliations,
    openDisputes: named(openDisputes),
    refundsUnderWay: named(refundsUnderWay),
    refundRequests: named(refundRequests),
    refundsFailed: named(refundsFailed, FAILED_MAX)
      .toSorted((a, b) => b.finalizedAtMs - a.finalizedAtMs),
    unarchived: named(unarchived),
    isCut,
    totals: totalsOf(shown),
    entries: shown.slice(0, NAMED_MAX),
    isPartial: newest.length === ENTRIES_MAX,
  };
}

function totalsOf(entries: readonly LedgerEntry[]): AccountTotals[] {
  const lines = entries.flatMap((entry) => entry.lines);
  return LEDGER_ACCOUNTS.map((account) => {
    const cents = lines.filter((line) => line.account === account)
      .map(({ amountCents }) => amountCents);
    const sum = (some: readonly number[]) => some.reduce((a, b) => a + b, 0);
    return {
      account,
      debitCents: sum(cents.filter((each) => each > 0)),
      creditCents: -sum(cents.filter((each) => each < 0)) || 0,
    };
  }).filter(({ debitCents, creditCents }) => debitCents + creditCents > 0);
}
