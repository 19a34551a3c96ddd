import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { listMyBids, type OwnBid } from "./list_my_bids.ts";

/** No id of ours looks otherwise, and no other text reaches a key. */
const BID_ID_SHAPE = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * One of the advertiser's own bids. Another's bid is as good as unknown: its
 * owner is compared before the bid itself is read.
 *
 * @throws {Refused} `bid_not_found`
 */
export async function findBid(
  services: Pick<Services, "store">,
  input: { accountId: string; bidId: string },
): Promise<OwnBid> {
  const { accountId, bidId } = input;
  const place = BID_ID_SHAPE.test(bidId)
    ? await services.store.bidPlaces.find(bidId)
    : null;
  if (place === null || place.accountId !== accountId) {
    refuse({ code: "bid_not_found", bidId });
  }
  const [own] = await listMyBids(services, { accountId, day: place.day });
  if (own === undefined || own.bid.id !== bidId) {
    refuse({ code: "bid_not_found", bidId });
  }
  return own;
}
