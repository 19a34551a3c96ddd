import {
  type EntryPlace,
  LEDGER_ACCOUNTS,
  type LedgerEntry,
} from "../ledger/entry.ts";
import { DAY_MS } from "../day.ts";
import { Contention } from "../failure.ts";
import { balanceOf } from "../ledger/book_entry.ts";
import {
  addMonths,
  endOfMonthMs,
  type Month,
  startOfMonthMs,
} from "../month.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import {
  readUnderSeal,
  sealedEntries,
  unsealedEntries,
} from "../settlement/under_seal.ts";
import type { Balances, MonthBalances } from "./month_balances.ts";

/** Entries of one month that are held at once; more take another way out. */
const ENTRIES_MAX = 20_000;
/** Entries of one month that are added up, and how many are held for that. */
const ADDED_MAX = 500_000;
const ADDED_AT_ONCE = 1_000;
/** Entries that are read for a page of those of one kind. */
const SOUGHT_MAX = 2_000;
/** Months that are added up in one request: ten years. */
const MONTHS_MAX = 120;
/** How often a month is added up while payments under seal come and go. */
const TRIES_MAX = 5;
/**
 * A month is kept once it has been over for so long: a commit may be late, and a
 * clock may be ahead.
 */
const SETTLED_MS = 7 * DAY_MS;

/** The books of a month, for whoever keeps them elsewhere. */
export interface MonthBooks {
  month: Month;
  /** What each account held before its first entry, cents. */
  opening: Balances;
  /** And after its last. */
  closing: Balances;
}

/** A part of a month's entries. */
export interface MonthPage {
  /** Newest first. */
  entries: readonly LedgerEntry[];
  /** Where the next part begins; null at the month's beginning. */
  next: EntryPlace | null;
}

type BooksServices = Pick<Services, "store" | "clock">;

/**
 * Adds up what each account held before and after a month. What earlier months
 * ended with is kept, so that each is added up once. What was booked of a day that
 * has not settled follows once it has: it tells a bid.
 *
 * @throws {Refused} `invalid_input` for a month that has not begun, and for more
 * entries or months than are added up
 * @throws {Contention} while a settlement books faster than this adds up
 */
export async function readMonthBooks(
  services: BooksServices,
  month: Month,
): Promise<MonthBooks> {
  if (startOfMonthMs(month) > services.clock.now()) {
    refuseMonth(month, "it has not begun");
  }
  let before = await sealedEntries(services);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const opening = await closingOf(services, addMonths(month, -1), MONTHS_MAX);
    const closing = await addMonth(services, month, opening);
    const sealed = await sealedEntries(services);
    // One that came meanwhile may be in the sums or not, and would be told.
    if (isSame(before, sealed)) {
      return unsealed(month, opening, closing, sealed);
    }
    before = sealed;
  }
  throw new Contention(`The books of ${month} are being written`);
}

function unsealed(
  month: Month,
  opening: Balances,
  closing: Balances,
  sealed: readonly LedgerEntry[],
): MonthBooks {
  const { fromMs, untilMs } = spanOf(month);
  const without = (balances: Balances, beforeMs: number) =>
    added(balances, sealed.filter(({ atMs }) => atMs < beforeMs), -1);
  return {
    month,
    opening: without(opening, fromMs),
    closing: without(closing, untilMs + 1),
  };
}

function isSame(
  some: readonly LedgerEntry[],
  others: readonly LedgerEntry[],
): boolean {
  const ids = new Set(some.map(({ id }) => id));
  return others.length === ids.size && others.every(({ id }) => ids.has(id));
}

/**
 * Reads a part of a month's entries, newest first. With a kind a part may be
 * short, or empty, and still have a next one: what is read for it is bounded.
 */
export async function readMonthPage(
  { store }: Pick<Services, "store">,
  month: Month,
  { kind, before, limit }: {
    kind: LedgerEntry["kind"] | null;
    before: EntryPlace | null;
    limit: number;
  },
): Promise<MonthPage> {
  const { fromMs, untilMs } = spanOf(month);
  const most = kind === null ? limit + 1 : SOUGHT_MAX;
  const read = await store.listLedgerBetween(fromMs, untilMs, {
    limit: most,
    reverse: true,
    before,
  });
  const fitting = unsealedEntries(await readUnderSeal({ store }), read)
    .filter((entry) => kind === null || entry.kind === kind);
  const entries = fitting.slice(0, limit);
  if (fitting.length > limit) return { entries, next: entries.at(-1) ?? null };
  return { entries, next: read.length === most ? read.at(-1) ?? null : null };
}

/** What each account held at the end of a month. */
async function closingOf(
  services: BooksServices,
  month: Month,
  left: number,
): Promise<Balances> {
  const { store, clock } = services;
  const nowMs = clock.now();
  const kept = await store.monthBalances.find(month);
  // By a clock that was ahead, more may have been booked since.
  if (kept !== null && (kept.keptAtMs ?? 0) <= nowMs) return kept.closing;
  const { fromMs, untilMs } = spanOf(month);
  const [first] = fromMs <= 0
    ? []
    : await store.listLedgerBetween(0, fromMs - 1, { limit: 1 });
  if (left === 0) refuseMonth(month, "too many months come before it");
  const opening = first === undefined
    ? {}
    : await closingOf(services, addMonths(month, -1), left - 1);
  const closing = await addMonth(services, month, opening);
  const isOver = untilMs + SETTLED_MS < nowMs;
  if (isOver || kept !== null) {
    const now: MonthBalances = { month, closing, keptAtMs: nowMs };
    await store.transact(({ monthBalances }) =>
      isOver ? monthBalances.save(now) : monthBalances.remove(now)
    );
  }
  return closing;
}

/** The balances after a month, of which a part is held at a time. */
async function addMonth(
  services: BooksServices,
  month: Month,
  opening: Balances,
): Promise<Balances> {
  const { fromMs, untilMs } = spanOf(month);
  let closing = opening;
  let before: EntryPlace | null = null;
  for (let read = 0; read < ADDED_MAX; read += ADDED_AT_ONCE) {
    const entries: LedgerEntry[] = await services.store.listLedgerBetween(
      fromMs,
      untilMs,
      { limit: ADDED_AT_ONCE, reverse: true, before },
    );
    closing = added(closing, entries);
    before = entries.at(-1) ?? null;
    if (entries.length < ADDED_AT_ONCE) return closing;
  }
  return refuseMonth(month, "it has more entries than are added up");
}

/**
 * All entries of a month, oldest first.
 *
 * @throws {Refused} `invalid_input` for more than are held at once
 */
export async function readMonthEntries(
  { store }: Pick<Services, "store">,
  month: Month,
): Promise<LedgerEntry[]> {
  const { fromMs, untilMs } = spanOf(month);
  const limit = ENTRIES_MAX;
  const entries = await store.listLedgerBetween(fromMs, untilMs, { limit });
  if (entries.length < limit) {
    return unsealedEntries(await readUnderSeal({ store }), entries);
  }
  return refuseMonth(
    month,
    "it has more entries than are read at once, take them from a backup",
  );
}

function refuseMonth(month: Month, why: string): never {
  const message = `Cannot add up ${month}: ${why}`;
  return refuse({ code: "invalid_input", message });
}

function added(
  before: Balances,
  entries: readonly LedgerEntry[],
  sign: 1 | -1 = 1,
): Balances {
  const after = LEDGER_ACCOUNTS.map((account) =>
    [
      account,
      (before[account] ?? 0) + sign * balanceOf(entries, account),
    ] as const
  );
  return Object.fromEntries(after.filter(([, cents]) => cents !== 0));
}

/** The first and the last moment of a month, epoch ms. */
function spanOf(month: Month): { fromMs: number; untilMs: number } {
  return { fromMs: startOfMonthMs(month), untilMs: endOfMonthMs(month) - 1 };
}
