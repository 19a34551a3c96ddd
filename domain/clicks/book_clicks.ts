import type { Day } from "../day.ts";
import type { Services, Transaction } from "../ports.ts";
import { type Booking, BOOKING_MARK_MS, type Visit } from "./booking.ts";
import { type ClickBooks, type ClickDimension, hourOf } from "./click.ts";
import { isRepeat, REPEAT_WITHIN_MS, type Visitor } from "./visitor.ts";

/** The result of a booking. */
export interface Booked {
  /** The visitors of its clicks, as the store has them now. */
  visitors: readonly Pick<Visitor, "hash" | "untilMs">[];
  /** Clicks that came after the figures of their day were closed. */
  late: number;
}

/**
 * Adds clicks to the figures of their days, in one commit with a mark of the
 * booking: one that is retried because its outcome is unknown counts nothing
 * twice. Visitors are read in the same commit, so that of two isolates that book
 * clicks of one visitor the second finds repeats. Decision 0120 says why.
 *
 * @throws {TemporaryFailure} when it may not have been booked: retry
 */
export function bookClicks(
  { store, clock }: Pick<Services, "store" | "clock">,
  booking: Booking,
): Promise<Booked> {
  const { id, visits } = booking;
  return store.transact(async (tx) => {
    const [mark, books, ...known] = await tx.getMany([
      tx.clickBookings.ref(id),
      tx.clickBooks.ref(),
      ...visits.map(({ visitor }) => tx.clickVisitors.ref(visitor)),
    ]);
    if (mark !== null) {
      return { visitors: known.filter((one) => one !== null), late: 0 };
    }
    const sums = new Sums(books);
    for (const { day, finalAtMs, reason, count } of booking.tallies) {
      if (sums.admit(finalAtMs, count)) {
        sums.add(day, "outcome", reason, count);
      }
    }
    const visitors = visits.map((visit, nth) =>
      countVisit(sums, visit, known[nth] ?? null)
    );
    visitors.forEach((one, nth) => {
      if (one !== null && one !== known[nth]) tx.clickVisitors.save(one);
    });
    sums.write(tx);
    tx.clickBookings.save({ id, expiresAtMs: clock.now() + BOOKING_MARK_MS });
    return {
      visitors: visitors.filter((one) => one !== null),
      late: sums.late,
    };
  });
}

/** Counts a visitor's clicks, oldest first; returns its row after the last. */
function countVisit(
  sums: Sums,
  { day, finalAtMs, visitor, clicks }: Visit,
  known: Visitor | null,
): Visitor | null {
  if (!sums.admit(finalAtMs, clicks.length)) return known;
  let visitorNow = known;
  for (const { atMs, country } of clicks) {
    if (isRepeat(visitorNow, atMs)) {
      sums.add(day, "outcome", "repeat");
      continue;
    }
    sums.add(day, "outcome", "human");
    sums.add(day, "hour", hourOf(atMs));
    if (country !== null) sums.add(day, "country", country);
    const untilMs = atMs + REPEAT_WITHIN_MS;
    const expiresAtMs = untilMs + BOOKING_MARK_MS;
    visitorNow = { hash: visitor, untilMs, expiresAtMs };
  }
  return visitorNow;
}

/** What one booking adds to each counter. */
class Sums {
  readonly #closedThroughMs: number;
  readonly #sums = new Map<
    string,
    { day: Day; dimension: ClickDimension; value: string; count: number }
  >();
  late = 0;

  constructor(books: ClickBooks | null) {
    this.#closedThroughMs = books?.closedThroughMs ?? -Infinity;
  }

  /** Whether the figures still take clicks; if not, counts these as late. */
  admit(finalAtMs: number | null, clicks: number): boolean {
    const open = finalAtMs === null || finalAtMs > this.#closedThroughMs;
    if (!open) this.late += clicks;
    return open;
  }

  add(day: Day, dimension: ClickDimension, value: string, count = 1): void {
    const name = `${day}|${dimension}|${value}`;
    const sum = this.#sums.get(name);
    if (sum !== undefined) sum.count += count;
    else this.#sums.set(name, { day, dimension, value, count });
  }

  write(tx: Transaction): void {
    for (const { day, dimension, value, count } of this.#sums.values()) {
      tx.clickCounts.add(count, day, dimension, value);
    }
  }
}
