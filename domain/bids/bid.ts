import type { Auction } from "../auction/auction.ts";
import type { Day } from "../day.ts";
import type { TransitionTable } from "../state_machine.ts";

/** What a bid can be. `lost` is never stored, see {@linkcode bidStatus}. */
export type BidStatus =
  | "active"
  | "won"
  | "lost"
  | "payment_failed"
  | "void";

/** A bid leaves `active` once, by settlement. */
export const BID_STATUSES: TransitionTable<BidStatus> = {
  active: ["won", "lost", "payment_failed", "void"],
  won: [],
  lost: [],
  payment_failed: [],
  void: [],
};

/** One advertiser's standing bid for one day. */
export interface Bid {
  id: string;
  day: Day;
  accountId: string;
  adId: string;
  amountCents: number;
  status: Exclude<BidStatus, "lost">;
  /** When the bid reached its present amount. */
  placedAtMs: number;
  /** The card that is charged if it wins. */
  paymentMethodId: string;
  /** The grant that placed or last raised it; null in the browser. */
  grantId: string | null;
}

/** Where a bid lies: the owner of an id is looked up before the bid is. */
export interface BidPlace {
  bidId: string;
  day: Day;
  accountId: string;
}

/** One line of the append-only history of a bid. */
export interface BidEvent {
  bidId: string;
  day: Day;
  accountId: string;
  kind: "placed" | "raised";
  adId: string;
  amountCents: number;
  atMs: number;
  grantId: string | null;
}

/**
 * The status shown. Losing is derived: an active bid of a settled day has lost,
 * so a day with many thousand bids settles in one commit.
 */
export function bidStatus(bid: Bid, auction: Auction | null): BidStatus {
  const settled = auction !== null && auction.settledAtMs !== null;
  return bid.status === "active" && settled ? "lost" : bid.status;
}

/**
 * Ranks bids: highest amount, then the earliest to reach it, then the id.
 * The order in which they were read never matters.
 */
export function compareBids(a: Bid, b: Bid): number {
  if (a.amountCents !== b.amountCents) return b.amountCents - a.amountCents;
  if (a.placedAtMs !== b.placedAtMs) return a.placedAtMs - b.placedAtMs;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
