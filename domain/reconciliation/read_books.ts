/**
 * What a day's comparison reads of our ledger and of the processor's balance,
 * each up to a bound that is told when it is met.
 *
 * @module
 */
import { type Day, DAY_MS, startOfDayMs } from "../day.ts";
import type { SweptDisputes } from "../disputes/sweep_disputes.ts";
import type { LedgerEntry } from "../ledger/entry.ts";
import type { BalanceTransaction } from "../payments/processor_books.ts";
import type { TimeSpan } from "../payments/outcome.ts";
import { type ReadUpTo, readUpTo } from "../payments/read_up_to.ts";
import type { Services } from "../ports.ts";
import {
  type Books,
  type ComparedMovement,
  compareMovements,
  keyOfMovement,
} from "./compare_movements.ts";
import { movedLongAgo } from "./moved_long_ago.ts";
import type { ComparedPart, Difference } from "./reconciliation.ts";

/** Most that one comparison reads of each; tests choose less. */
export interface ReadBounds {
  /** Of the processor's balance, a day. */
  movements: number;
  /** Of the processor's, that may have been made final on the day. */
  invoices: number;
  /** Of our ledger, a day. */
  entries: number;
  /** Of our ledger, a payment. */
  entriesOfPayment: number;
  /** Left out by the invoices of the day. */
  numbers: number;
}

/** What the service compares with. */
export const READ_BOUNDS: ReadBounds = {
  movements: 20_000,
  invoices: 20_000,
  entries: 100_000,
  entriesOfPayment: 100,
  numbers: 10_000,
};

/** What we book was mostly moved within so many days before. */
const BOOKED_WITHIN_DAYS = 7;
/** What was not is looked for this far back, since an event may come late. */
export const BOOKED_AT_LAST_DAYS = 60;
/** The processor's clock may be off ours, and its times are whole seconds. */
export const CLOCK_SKEW_MS = 60_000;

/** Ledger and balance of a day against each other. */
export interface ComparedBooks {
  differences: Difference[];
  movements: number;
  entries: number;
  /** What met its bound. */
  cut: ComparedPart[];
}

/** What a sweep of the disputes left out. */
export function cutOf({ isCut }: SweptDisputes): ComparedPart[] {
  return isCut ? ["disputes"] : [];
}

/** The day in epoch ms, both ends included. */
export function spanOf(day: Day): TimeSpan {
  const from = startOfDayMs(day);
  return { from, until: from + DAY_MS - 1 };
}

/**
 * Compares a day's entries with the processor's movements, both ways.
 *
 * @throws {TemporaryFailure} when the processor or the store does not answer
 */
export async function compareBooks(
  services: Services,
  day: Day,
  bounds: ReadBounds,
): Promise<ComparedBooks> {
  const { store } = services;
  const { from, until } = spanOf(day);
  const around = await movementsAround(services, day, bounds);
  const movements = around.items.filter(({ createdAtMs }) =>
    createdAtMs >= from && createdAtMs <= until
  );
  const entries = await store.listLedgerBetween(from, until, {
    limit: bounds.entries,
  });
  const ofPayments = await entriesOf(
    services,
    [...movements, ...entries],
    bounds.entriesOfPayment,
  );
  const looked = await searchEarlierDays(services, day, bounds, {
    movements,
    entries,
    entriesOfPayments: ofPayments.items,
    movementsAround: around.items,
  });
  const isCut = around.isCut || looked.isCut;
  return {
    // Whether the money moved can't be told of movements that were not read.
    differences: looked.differences.filter(({ kind }) =>
      !(isCut && kind === "not_moved")
    ),
    movements: movements.length,
    entries: entries.length,
    cut: [
      ...isCut ? ["movements" as const] : [],
      ...entries.length >= bounds.entries ? ["entries" as const] : [],
      ...ofPayments.isCut ? ["entries_of_payment" as const] : [],
    ],
  };
}

/** Goes further back, a day at a time, while what we booked is not found. */
async function searchEarlierDays(
  services: Services,
  day: Day,
  bounds: ReadBounds,
  books: Books,
): Promise<{ differences: Difference[]; isCut: boolean }> {
  const found: ComparedMovement[] = [...books.movementsAround];
  let differences = compareMovements(books);
  let isCut = false;
  for (let back = BOOKED_WITHIN_DAYS + 1; back <= BOOKED_AT_LAST_DAYS; back++) {
    const sought = new Set(
      differences.flatMap((one) =>
        one.kind === "not_moved" ? one.paymentId : []
      ),
    );
    if (sought.size === 0) break;
    const earlier = await movementsOf(services, spanBefore(day, back), bounds);
    isCut ||= earlier.isCut;
    const wanted = earlier.items.filter(({ paymentId }) =>
      sought.has(paymentId)
    );
    if (wanted.length === 0) continue;
    found.push(...wanted);
    differences = compareMovements({ ...books, movementsAround: found });
  }
  // What is listed already is matched already: what is booked twice differs.
  const listed = new Set(found.flatMap(keyOfMovement));
  const longAgo = (await movedLongAgo(services, differences))
    .filter((movement) =>
      !keyOfMovement(movement).some((key) => listed.has(key))
    );
  if (longAgo.length > 0) {
    const movementsAround = [...found, ...longAgo];
    differences = compareMovements({ ...books, movementsAround });
  }
  return { differences, isCut };
}

/** The movements of a day and of the days before it. */
async function movementsAround(
  services: Services,
  day: Day,
  bounds: ReadBounds,
): Promise<ReadUpTo<BalanceTransaction>> {
  const items: BalanceTransaction[] = [];
  let isCut = false;
  for (let back = 0; back <= BOOKED_WITHIN_DAYS; back++) {
    const { from, until } = spanBefore(day, back);
    const span = { from, until: back === 0 ? until + CLOCK_SKEW_MS : until };
    const read = await movementsOf(services, span, bounds);
    items.push(...read.items);
    isCut ||= read.isCut;
  }
  return { items, isCut };
}

function movementsOf(
  { processor }: Services,
  span: TimeSpan,
  { movements }: ReadBounds,
): Promise<ReadUpTo<BalanceTransaction>> {
  return readUpTo(
    movements,
    (cursor, limit) => processor.listBalanceTransactions(span, cursor, limit),
  );
}

function spanBefore(day: Day, back: number): TimeSpan {
  const { from, until } = spanOf(day);
  return { from: from - back * DAY_MS, until: until - back * DAY_MS };
}

/** Everything booked of the payments that are named, so many a payment. */
export async function entriesOf(
  { store }: Pick<Services, "store">,
  named: readonly { paymentId: string | null }[],
  limit: number,
): Promise<ReadUpTo<LedgerEntry>> {
  const paymentIds = new Set(
    named.map(({ paymentId }) => paymentId).filter((id) => id !== null),
  );
  const items: LedgerEntry[] = [];
  let isCut = false;
  for (const paymentId of paymentIds) {
    const entries = await store.listLedgerOfPayment(paymentId, { limit });
    items.push(...entries);
    isCut ||= entries.length >= limit;
  }
  return { items, isCut };
}
