import { refusalFor } from "../readiness/refusal_for.ts";
import type { BidSnapshot } from "../readiness/snapshot.ts";
import type { Refusal } from "../refusal.ts";
import type { Services } from "../ports.ts";
import { type PlaceBid, readBidState } from "./bid_state.ts";

/** What a bid would come to at this moment. */
export interface CheckedBid {
  snapshot: BidSnapshot;
  /** Null where it would stand. */
  refusal: Refusal | null;
}

/**
 * What {@linkcode placeBid} would make of a bid now, without placing it.
 *
 * @throws {Refused} as `readBidState()` does
 */
export function checkBid(
  services: Services,
  input: PlaceBid,
): Promise<CheckedBid> {
  return services.store.transact(async (tx) => {
    const { snapshot } = await readBidState(services, tx, input);
    return { snapshot, refusal: refusalFor(snapshot) };
  });
}
