import { type Bid, BID_STATUSES } from "../bids/bid.ts";
import { listMyBids, type OwnBid } from "../bids/list_my_bids.ts";
import { invariant } from "../invariant.ts";
import type { Services } from "../ports.ts";
import { PRACTICE_DAY } from "./practice_records.ts";
import { sceneOf } from "./practice_scenes.ts";

/**
 * Closes and settles the day of a rehearsal at once: what became of its bid is
 * what its creative stands for. Again, it changes nothing more.
 */
export async function settleRehearsal(
  { store, clock }: Services,
  { accountId }: { accountId: string },
): Promise<OwnBid[]> {
  const day = PRACTICE_DAY;
  await store.transact(async (tx) => {
    const auction = await tx.auctions.find(day);
    invariant(auction !== null, "a rehearsal has an auction");
    if (auction.settledAtMs !== null) return;
    const nowMs = clock.now();
    tx.auctions.save({
      ...auction,
      phase: "CLOSED",
      closedAtMs: nowMs,
      settledAtMs: nowMs,
    });
    const bid = await tx.bids.find(day, accountId);
    if (bid !== null) tx.bids.save(settled(bid));
  });
  return await listMyBids({ store }, { accountId, day });
}

/** A bid that has lost stays as it is: losing is derived. */
function settled(bid: Bid): Bid {
  const { settles = "won" } = sceneOf(bid.adId);
  if (settles === "lost") return bid;
  invariant(
    BID_STATUSES[bid.status].includes(settles),
    "a bid of a rehearsal is settled once",
  );
  return { ...bid, status: settles };
}
