import { type Day, isoOrNull, isoTime } from "../day.ts";
import type { Services, Settings } from "../ports.ts";
import {
  type Auction,
  closesAtMs,
  opensAtMs,
  type Phase,
  phaseAt,
} from "./auction.ts";
import { type DayKnown, isOver, nextDayFrom } from "./next_day.ts";

/** What everyone with a grant may know of a day's auction (contract §7.5). */
export interface AuctionState {
  day: Day;
  phase: Phase;
  bidCount: number;
  openedAt: string | null;
  closesAt: string | null;
  closedAt: string | null;
}

/** Joins a day's record, its count and the clock; null is a day never opened. */
export function auctionStateOf(
  day: Day,
  auction: Auction | null,
  bidCount: number,
  nowMs: number,
): AuctionState {
  return {
    day,
    phase: phaseAt(auction, nowMs),
    bidCount,
    openedAt: isoOrNull(openedAtMs(auction)),
    closesAt: isoOrNull(auction?.closesAtMs),
    closedAt: isoOrNull(auction?.closedAtMs),
  };
}

/**
 * A day that was missed is opened and closed late, in one go, and took no bid:
 * it says when it was closed, and no moment at which it was open.
 */
function openedAtMs(auction: Auction | null): number | null {
  if (auction === null) return null;
  const { openedAtMs, closesAtMs } = auction;
  return openedAtMs < closesAtMs ? openedAtMs : null;
}

/** The state of an auction, and what a bidder waits for or goes on to. */
export interface AuctionOutlook extends AuctionState {
  /** When it opens, until it has. */
  opensAt: string | null;
  /** The first day that takes bids, where this one takes none any more. */
  nextDay: Day | null;
}

/**
 * The state of a day's auction, exact at the moment of one read. Of a day that
 * is still to open it says when it opens and closes.
 */
export async function readAuctionState(
  services: Pick<Services, "store" | "clock" | "settings">,
  day: Day,
): Promise<AuctionOutlook> {
  const { store, clock, settings } = services;
  const [auction, bidCount] = await store.getMany([
    store.auctions.ref(day),
    store.bidCounts.ref(day),
  ]);
  const nowMs = clock.now();
  const state = auctionStateOf(day, auction, bidCount ?? 0, nowMs);
  return { ...state, ...comingOf(day, { auction, nowMs, settings }) };
}

function comingOf(
  day: Day,
  known: DayKnown & { settings: Pick<Settings, "practice"> },
): Partial<AuctionState> & Pick<AuctionOutlook, "opensAt" | "nextDay"> {
  const { auction, settings: { auctionHours, practice } } = known;
  // No other day ever opens in a rehearsal.
  if (practice !== undefined) {
    return {
      opensAt: null,
      nextDay: day === practice.day ? null : practice.day,
    };
  }
  if (isOver(day, known)) {
    return { opensAt: null, nextDay: nextDayFrom(day, known).day };
  }
  if (auction !== null) return { opensAt: null, nextDay: null };
  return {
    opensAt: isoTime(opensAtMs(day, auctionHours)),
    closesAt: isoTime(closesAtMs(day, auctionHours)),
    nextDay: null,
  };
}
