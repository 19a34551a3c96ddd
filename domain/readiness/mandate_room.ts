import { MIN_BID_CENTS } from "../limits.ts";
import { comesAfterToday } from "./day_state.ts";
import type { BidSnapshot } from "./snapshot.ts";

/** Which amounts of the wanted bid a mandate has room for. */
export interface MandateRoom {
  /** The least that the bid, or the raise of it, can be. */
  leastCents: number;
  /** The most on the day on which the bid can be placed next. */
  mostCents: number;
  /** The most on a day of which nothing is used yet. */
  mostEverCents: number;
}

/** What counts against the daily cap on the day on which the bid is placed. */
export function usedWhenPlaced(snapshot: BidSnapshot): number {
  return comesAfterToday(snapshot) ? 0 : snapshot.usedCents;
}

/** The most that a mandate allows the bid to be; null where none fits. */
export function mostAllowed(snapshot: BidSnapshot): number | null {
  const room = mandateRoom(snapshot);
  const fits = room !== null && room.leastCents <= room.mostCents;
  return fits ? room.mostCents : null;
}

/** The room of a mandate; null where there is none. */
export function mandateRoom(snapshot: BidSnapshot): MandateRoom | null {
  const { grant, liveBid } = snapshot;
  const mandate = grant?.mandate ?? null;
  if (mandate === null) return null;
  const { maxBidCents, dailyCapCents, totalCapCents = Infinity } = mandate;
  const liveCents = liveBid?.amountCents ?? 0;
  const leftInAll = totalCapCents - (grant?.totalUse?.usedCents ?? 0);
  const mostWith = (left: number) =>
    Math.min(maxBidCents, Math.min(left, leftInAll) + liveCents);
  return {
    leastCents: liveBid ? liveCents + 1 : MIN_BID_CENTS,
    mostCents: mostWith(dailyCapCents - usedWhenPlaced(snapshot)),
    mostEverCents: mostWith(dailyCapCents),
  };
}
