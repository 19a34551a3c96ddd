import { type Day, isoTime } from "../day.ts";
import type { Services } from "../ports.ts";
import { type Bid, type BidStatus, bidStatus } from "./bid.ts";

/** A bid as its own advertiser may see it. */
export interface OwnBid {
  bid: Bid;
  /** Losing is derived, so it is not a status a bid is stored with. */
  status: BidStatus;
}

/**
 * The advertiser's bids of a day: none or one, wherever it was placed.
 */
export async function listMyBids(
  services: Pick<Services, "store">,
  input: { accountId: string; day: Day },
): Promise<OwnBid[]> {
  const { store } = services;
  const [bid, auction] = await store.getMany([
    store.bids.ref(input.day, input.accountId),
    store.auctions.ref(input.day),
  ]);
  return bid === null ? [] : [{ bid, status: bidStatus(bid, auction) }];
}

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
