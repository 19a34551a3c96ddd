import type { Day } from "../day.ts";
import { groupsOf } from "../groups.ts";
import { TRACKED_READS_MAX } from "../tables.ts";
import type { NotHumanReason } from "./click.ts";

/** A click that waits to be booked. */
export interface WaitingClick {
  day: Day;
  atMs: number;
  /** Null: a person's, unless the visitor turns out to be a repeat. */
  reason: NotHumanReason | null;
  /** Whose click it may be counted as; empty where there is a reason. */
  visitor: string;
  country: string | null;
}

/** Clicks of a day that are not counted as human, for one reason. */
export interface Tally {
  day: Day;
  finalAtMs: number | null;
  reason: NotHumanReason;
  count: number;
}

/** The clicks of one visitor, oldest first. */
export interface Visit {
  day: Day;
  finalAtMs: number | null;
  visitor: string;
  clicks: readonly Pick<WaitingClick, "atMs" | "country">[];
}

/** What is booked in one commit, once, however often it is tried. */
export interface Booking {
  id: string;
  /** When its first click was made, epoch ms. */
  sinceMs: number;
  /** How many clicks it is made of. */
  clicks: number;
  tallies: readonly Tally[];
  visits: readonly Visit[];
}

/** Marks a booking as made; kept for longer than one is retried. */
export interface BookingMark {
  id: string;
  expiresAtMs: number;
}

/** How long a booking is retried; then its clicks are lost. */
export const BOOKING_TRIED_MS = 10 * 60_000;
/** Longer than any booking is retried, even where isolates' clocks differ. */
export const BOOKING_MARK_MS = 3 * BOOKING_TRIED_MS;

/** With the rows of mark and books, as many reads as a commit may check. */
export const VISITS_A_BOOKING = TRACKED_READS_MAX - 2;
/** Keeps a commit far below its limit of mutations. */
export const TALLIES_A_BOOKING = 100;

/** When the figures of each day are final; null for never so far. */
export type FinalTimes = ReadonlyMap<Day, number | null>;

/**
 * Groups clicks into as few bookings as possible, each small enough for one
 * commit. Clicks made after their day's figures became final are left out.
 */
export function bookingsOf(
  clicks: readonly WaitingClick[],
  finalTimes: FinalTimes,
  newId: () => string,
): Booking[] {
  const counted = clicks.filter(({ day, atMs }) =>
    atMs < (finalTimes.get(day) ?? Infinity)
  );
  const tallies = [
    ...groupsOf(talliesOf(counted, finalTimes), TALLIES_A_BOOKING),
  ];
  const visits = [
    ...groupsOf(visitsOf(counted, finalTimes), VISITS_A_BOOKING),
  ];
  const count = Math.max(tallies.length, visits.length);
  return Array.from({ length: count }, (_, at) => {
    const parts = { tallies: tallies[at] ?? [], visits: visits[at] ?? [] };
    return {
      id: newId(),
      sinceMs: counted[0]?.atMs ?? 0,
      clicks: clicksIn(parts),
      ...parts,
    };
  });
}

function talliesOf(
  clicks: readonly WaitingClick[],
  finalTimes: FinalTimes,
): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const { day, reason } of clicks) {
    if (reason === null) continue;
    const name = `${day}|${reason}`;
    const tally = tallies.get(name);
    if (tally !== undefined) tally.count += 1;
    else {
      const finalAtMs = finalTimes.get(day) ?? null;
      tallies.set(name, { day, finalAtMs, reason, count: 1 });
    }
  }
  return [...tallies.values()];
}

function visitsOf(
  clicks: readonly WaitingClick[],
  finalTimes: FinalTimes,
): Visit[] {
  const possible = clicks.filter(({ reason }) => reason === null);
  const byVisitor = Map.groupBy(possible, ({ visitor }) => visitor);
  return [...byVisitor].map(([visitor, made]): Visit => {
    // A visitor's hash has its Spotlight in it, so all of these are of one.
    const { day } = made[0] as WaitingClick;
    return {
      day,
      finalAtMs: finalTimes.get(day) ?? null,
      visitor,
      clicks: made.toSorted((a, b) => a.atMs - b.atMs)
        .map(({ atMs, country }) => ({ atMs, country })),
    };
  });
}

function clicksIn({ tallies, visits }: Pick<Booking, "tallies" | "visits">) {
  const tallied = tallies.reduce((sum, { count }) => sum + count, 0);
  return visits.reduce((sum, { clicks }) => sum + clicks.length, tallied);
}
