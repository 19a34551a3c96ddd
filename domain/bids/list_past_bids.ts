import { addDays, type Day } from "../day.ts";
import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";
import { bidStatus } from "./bid.ts";
import type { OwnBid } from "./list_my_bids.ts";

/** Days of one page. */
const DAYS_MAX = 60;

/** The advertiser's bids of some days, the newest first. */
export interface PastBids {
  bids: readonly OwnBid[];
  /** The day before the first one looked at; null at the first auction. */
  earlier: Day | null;
}

/**
 * The advertiser's bids of the last 60 days until `through`, ten days a read:
 * a bid lies under its day, and nobody has more than one a day.
 */
export async function listPastBids(
  { store }: Pick<Services, "store">,
  { accountId, through }: { accountId: string; through: Day },
): Promise<PastBids> {
  const launchDay = (await store.calendar.find())?.launchDay ?? through;
  const days: Day[] = [];
  let day = through;
  for (; day >= launchDay && days.length < DAYS_MAX; day = addDays(day, -1)) {
    days.push(day);
  }
  const found = await readAll(
    store,
    days.map((each) => store.bids.ref(each, accountId)),
  );
  const bids = found.filter((bid) => bid !== null);
  const auctions = await readAll(
    store,
    bids.map((bid) => store.auctions.ref(bid.day)),
  );
  return {
    bids: bids.map((bid, at) => ({
      bid,
      status: bidStatus(bid, auctions[at] ?? null),
    })),
    earlier: day >= launchDay ? day : null,
  };
}
