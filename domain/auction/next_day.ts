import { addDays, type Day, dayOf } from "../day.ts";
import type { Settings } from "../ports.ts";
import type { NextDay } from "../refusal.ts";
import { type Auction, closesAtMs, opensAtMs, phaseAt } from "./auction.ts";

/** What is known of a day: its record, the clock and the hours. */
export interface DayKnown {
  auction: Auction | null;
  nowMs: number;
  settings: Pick<Settings, "auctionHours">;
}

/** Whether a day takes no bids any more, opened or not. */
export function isOver(
  day: Day,
  { auction, nowMs, settings }: DayKnown,
): boolean {
  // A day that nobody opened is over with its hours all the same.
  return phaseAt(auction, nowMs) === "CLOSED" ||
    nowMs >= closesAtMs(day, settings.auctionHours);
}

/**
 * The first day that takes bids, now or once it opens: the wanted one, or where
 * it is over today, or tomorrow. Of days but the wanted one no record is known.
 */
export function nextDayFrom(wanted: Day, known: DayKnown): NextDay {
  const { nowMs, settings: { auctionHours } } = known;
  const today = dayOf(nowMs);
  const tomorrow = addDays(today, 1);
  const isOn = (day: Day) =>
    !isOver(day, day === wanted ? known : { ...known, auction: null });
  const day = [wanted, today].find(isOn) ?? tomorrow;
  const atMs = opensAtMs(day, auctionHours);
  // It may have been opened ahead.
  const isOpen = day === wanted && known.auction !== null;
  return { day, opensAtMs: isOpen || atMs <= nowMs ? null : atMs };
}
