import type { Auction } from "../auction/auction.ts";
import { type AuctionState, auctionStateOf } from "../auction/auction_state.ts";
import type { Settlement } from "./settlement.ts";
import type { Day } from "../day.ts";
import type { Services } from "../ports.ts";
import type { Spotlight } from "../spotlights/spotlight.ts";

/** What the operator may know of a day: all of it but amounts. */
export interface DayReport {
  state: AuctionState;
  settledAtMs: Auction["settledAtMs"];
  /** Null until the auction has closed. */
  settlement: Settlement | null;
  /** Null until the day has settled; stays when it is removed. */
  spotlight: Spotlight | null;
}

/** Everything about one day, as it was at the moment of one read. */
export async function readDayReport(
  { store, clock }: Pick<Services, "store" | "clock">,
  day: Day,
): Promise<DayReport> {
  const [auction, bidCount, settlement, spotlight] = await store.getMany([
    store.auctions.ref(day),
    store.bidCounts.ref(day),
    store.settlements.ref(day),
    store.spotlights.ref(day),
  ]);
  return {
    state: auctionStateOf(day, auction, bidCount ?? 0, clock.now()),
    settledAtMs: auction?.settledAtMs ?? null,
    settlement,
    spotlight,
  };
}
