import { phaseAt } from "../auction/auction.ts";
import { isOver } from "../auction/next_day.ts";
import { dayOf } from "../day.ts";
import type { BidSnapshot } from "./snapshot.ts";

/** How the wanted day takes bids: now, later, or never again. */
export type DayState = "open" | "not_open" | "closed";

/** How the wanted day stands; null where no day is wanted. */
export function dayStateOf(
  { wanted: { day }, auction, nowMs, settings }: BidSnapshot,
): DayState | null {
  if (day === null) return null;
  if (phaseAt(auction, nowMs) === "OPEN") return "open";
  return isOver(day, { auction, nowMs, settings }) ? "closed" : "not_open";
}

/**
 * Whether no bid on the wanted day can be placed today. A mandate's daily cap
 * has begun anew by then: what is used today does not count.
 */
export function comesAfterToday(snapshot: BidSnapshot): boolean {
  const { wanted: { day }, nowMs } = snapshot;
  return day !== null && day > dayOf(nowMs) &&
    dayStateOf(snapshot) === "not_open";
}
