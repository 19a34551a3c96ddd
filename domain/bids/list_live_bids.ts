import { OPEN_AHEAD_DAYS } from "../auction/open_auction.ts";
import { addDays, type Day, dayOf } from "../day.ts";
import type { Services } from "../ports.ts";
import { type Bid, bidStatus } from "./bid.ts";

/** Days looked at whose settlement takes its time. */
const SETTLING_MAX = 30;
/** Records of one read. */
const BATCH = 10;

/**
 * The advertiser's bids that still stand, by day: those of days not settled,
 * whoever placed them. Reads ten at a time.
 */
export async function listLiveBids(
  { store, clock }: Pick<Services, "store" | "clock">,
  { accountId }: { accountId: string },
): Promise<Bid[]> {
  const today = dayOf(clock.now());
  const settling = await store.listOpenSettlements({ limit: SETTLING_MAX });
  const ahead = Array.from(
    { length: OPEN_AHEAD_DAYS + 2 },
    (_, at) => addDays(today, at - 1),
  );
  const days = [...new Set([...settling.map(({ day }) => day), ...ahead])];
  const bids = await inBatches(
    days,
    (some) => store.getMany(some.map((day) => store.bids.ref(day, accountId))),
  );
  const standing = bids.filter((bid) => bid !== null);
  const auctions = await inBatches(
    standing.map(({ day }) => day),
    (some) => store.getMany(some.map((day) => store.auctions.ref(day))),
  );
  return standing
    .filter((bid, at) => bidStatus(bid, auctions[at] ?? null) === "active")
    .toSorted((a, b) => a.day < b.day ? -1 : 1);
}

async function inBatches<T>(
  days: readonly Day[],
  read: (some: readonly Day[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const all: T[] = [];
  for (let at = 0; at < days.length; at += BATCH) {
    all.push(...await read(days.slice(at, at + BATCH)));
  }
  return all;
}
