import type { Account, PaymentMethod } from "../accounts/account.ts";
import type { Auction } from "../auction/auction.ts";
import type { Bid } from "../bids/bid.ts";
import type { Creative } from "../creatives/creative.ts";
import type { Day } from "../day.ts";
import { MIN_BID_CENTS } from "../limits.ts";
import type { Grant } from "../oauth/grant.ts";
import type { Settings } from "../ports.ts";

/** What a bid would be; null where nobody said so yet. */
export interface WantedBid {
  day: Day | null;
  adId: string | null;
  amountCents: number | null;
  /** Null for the account's default card. */
  paymentMethodId: string | null;
}

/**
 * All that decides over a bid, as it was at one moment. Readiness and refusal
 * are pure functions of it, so they cannot contradict each other.
 */
export interface BidSnapshot {
  nowMs: number;
  settings: Settings;
  account: Account;
  /** Whether the processor has yet to say who the person is. */
  identityPending: boolean;
  /** Null for a bid placed in the browser, which needs no mandate. */
  grant: Grant | null;
  /** Cents the grant's accepted bids committed on the present UTC day. */
  usedCents: number;
  wanted: WantedBid;
  /** Of the wanted day, or today's where none is; null where nobody opened it. */
  auction: Auction | null;
  /** The account's own bid of the wanted day. */
  liveBid: Bid | null;
  /** The wanted creative, if the account owns it. */
  creative: Creative | null;
  /** What took its place, where it was rejected or archived; else null. */
  newestVersion: Creative | null;
  /**
   * What comes nearest to being approved, "none" for nothing, where the account
   * is known to have no creative that is. Null where it may have one.
   */
  nearest: Creative | "none" | null;
  /** The wanted card, if the account owns it. */
  card: PaymentMethod | null;
}

/**
 * What the bid adds to the mandate's use: all of a new bid, the increase of a
 * raise. Where the query leaves it open it is the least that any bid could
 * add, so that no bid stands that was called blocked before all was said.
 */
export function increaseCents(snapshot: BidSnapshot): number {
  const { wanted, liveBid } = snapshot;
  if (wanted.day === null) return 1;
  if (wanted.amountCents === null) return liveBid ? 1 : MIN_BID_CENTS;
  return Math.max(0, wanted.amountCents - (liveBid?.amountCents ?? 0));
}
