import { type Day, isoOrNull } from "../day.ts";
import type { Services } from "../ports.ts";
import { type Auction, type Phase, phaseAt } from "./auction.ts";

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

/** The state of a day's auction, exact at the moment of one read. */
export async function readAuctionState(
  services: Pick<Services, "store" | "clock">,
  day: Day,
): Promise<AuctionState> {
  const { store, clock } = services;
  const [auction, bidCount] = await store.getMany([
    store.auctions.ref(day),
    store.bidCounts.ref(day),
  ]);
  return auctionStateOf(day, auction, bidCount ?? 0, clock.now());
}
