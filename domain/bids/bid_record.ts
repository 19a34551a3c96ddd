import { type Day, isoTime } from "../day.ts";
import type { OwnBid } from "./list_my_bids.ts";

/** A bid as the agent API shows it (contract §7.6). */
export interface BidRecord {
  id: string;
  day: Day;
  ad_id: string | null;
  amount_cents: number;
  currency: "EUR";
  status: string;
  placed_at: string;
}

/** The members of one's own bid, and no others. */
export function toBidRecord({ bid, status }: OwnBid): BidRecord {
  return {
    id: bid.id,
    day: bid.day,
    ad_id: bid.adId,
    amount_cents: bid.amountCents,
    currency: "EUR",
    status,
    placed_at: isoTime(bid.placedAtMs),
  };
}
