import type { Day } from "../day.ts";
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
