import { OPEN_AHEAD_DAYS } from "../auction/open_auction.ts";
import { listPastBids } from "../bids/list_past_bids.ts";
import type { OwnBid } from "../bids/list_my_bids.ts";
import { addDays, type Day, dayOf } from "../day.ts";
import type { Services } from "../ports.ts";

/** Every bid of an account, the newest day first, read some days at a time. */
export async function* everyBid(
  services: Pick<Services, "store" | "clock">,
  accountId: string,
): AsyncGenerator<OwnBid> {
  const today = dayOf(services.clock.now());
  let through: Day | null = addDays(today, OPEN_AHEAD_DAYS);
  while (through !== null) {
    const past = await listPastBids(services, { accountId, through });
    yield* past.bids;
    through = past.earlier;
  }
}
