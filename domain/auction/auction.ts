import { addDays, type Day, isoTime, startOfDayMs } from "../day.ts";
import type { TransitionTable } from "../state_machine.ts";

/** How far the auction of a day is (contract §2.1). */
export type Phase = "IDLE" | "OPEN" | "CLOSED";

/** `IDLE → OPEN → CLOSED`, each once, never back. */
export const PHASES: TransitionTable<Phase> = {
  IDLE: ["OPEN"],
  OPEN: ["CLOSED"],
  CLOSED: [],
};

/**
 * One day's auction. A day without a record is IDLE. The record is written by
 * open, close and settlement only, never by a bid, so bids do not race on it.
 */
export interface Auction {
  day: Day;
  phase: "OPEN" | "CLOSED";
  openedAtMs: number;
  /** No bid at or after this moment stands. */
  closesAtMs: number;
  /** When the ranking was frozen. */
  closedAtMs: number | null;
  /** When the day's Spotlight became public. */
  settledAtMs: number | null;
}

/** Minutes after UTC midnight at which a day's auction opens and closes. */
export interface AuctionHours {
  opensAtMinute: number;
  closesAtMinute: number;
}

/** When the auction of the day opens, epoch ms. */
export function opensAtMs(day: Day, hours: AuctionHours): number {
  return startOfDayMs(day) + hours.opensAtMinute * 60_000;
}

/** When the auction of the day closes, epoch ms. */
export function closesAtMs(day: Day, hours: AuctionHours): number {
  return startOfDayMs(day) + hours.closesAtMinute * 60_000;
}

/** When the winner of a day is on show. */
export interface ShownWindow {
  fromMs: number;
  untilMs: number;
}

/** When a day and the next were really closed, where that is known. */
export type Closings = {
  readonly [Edge in keyof ShownWindow]?: number | null | undefined;
};

/**
 * The window of a day: until the next day has a winner of its own. It goes by
 * the hours, since settling takes a moment; a day that an operator closed early
 * is on show earlier.
 */
export function shownWindow(
  day: Day,
  hours: AuctionHours,
  closed: Closings = {},
): ShownWindow {
  return {
    fromMs: Math.min(closesAtMs(day, hours), closed.fromMs ?? Infinity),
    untilMs: Math.min(
      closesAtMs(addDays(day, 1), hours),
      closed.untilMs ?? Infinity,
    ),
  };
}

/**
 * A window as it is said wherever a day is bid for, bought or paid:
 * `22 Nov 23:55 – 23 Nov 23:55 UTC`. The year is that of the day beside it.
 */
export function windowText({ fromMs, untilMs }: ShownWindow): string {
  return `${shortMinute(fromMs)} – ${shortMinute(untilMs)} UTC`;
}

const shortDays = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** A moment without its year: `22 Nov 23:55`. */
export function shortMinute(ms: number): string {
  return `${shortDays.format(ms)} ${isoTime(ms).slice(11, 16)}`;
}

/** Minutes after midnight as HH:MM. */
export function clockTime(minute: number): string {
  const two = (count: number) => String(count).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/**
 * Whether the day has begun. It may be opened before, but neither closed nor
 * settled (contract §2.1): nobody could bid on it any more.
 */
export function hasBegun(day: Day, nowMs: number): boolean {
  return nowMs >= startOfDayMs(day);
}

/**
 * The phase at a moment: a pure function of the record and the clock, so a late
 * cron never lengthens an auction.
 */
export function phaseAt(auction: Auction | null, nowMs: number): Phase {
  if (auction === null) return "IDLE";
  return nowMs >= auction.closesAtMs ? "CLOSED" : auction.phase;
}

/** Whether the day is closed and not settled: its ranking is read until then. */
export function isBeingSettled(auction: Auction | null): boolean {
  return auction?.phase === "CLOSED" && auction.settledAtMs === null;
}

/** The first day the service ran and the last with nothing left to settle. */
export interface Calendar {
  launchDay: Day;
  /** Every day from launch up to and including this one is settled. */
  settledThroughDay: Day | null;
}
