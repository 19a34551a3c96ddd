import {
  type Auction,
  type Calendar,
  isBeingSettled,
} from "../auction/auction.ts";
import { OPEN_AHEAD_DAYS } from "../auction/open_auction.ts";
import { addDays, type Day, dayOf, daysBetween } from "../day.ts";
import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";
import { type Bid, bidStatus } from "./bid.ts";

/** Days looked at that are not settled: more than a year of outage. */
const DAYS_MAX = 400;

/**
 * The advertiser's bids that still stand, by day: those of days not settled,
 * whoever placed them. Reads ten at a time.
 */
export async function listLiveBids(
  services: Pick<Services, "store" | "clock">,
  { accountId }: { accountId: string },
): Promise<Bid[]> {
  return (await readUnsettled(services, accountId))
    .filter(({ bid, auction }) => bidStatus(bid, auction) === "active")
    .map(({ bid }) => bid)
    .toSorted((a, b) => a.day < b.day ? -1 : 1);
}

/**
 * Whether a day on which the account has bid is closed and not settled. Its
 * settlement names the bid until then, also one that it has passed over.
 */
export async function isDayBeingSettled(
  services: Pick<Services, "store" | "clock">,
  { accountId }: { accountId: string },
): Promise<boolean> {
  const all = await readUnsettled(services, accountId);
  return all.some(({ auction }) => isBeingSettled(auction));
}

/** The account's bids of the days from the first that is not settled on. */
async function readUnsettled(
  { store, clock }: Pick<Services, "store" | "clock">,
  accountId: string,
): Promise<{ bid: Bid; auction: Auction | null }[]> {
  const days = unsettledDays(await store.calendar.find(), dayOf(clock.now()));
  const bids = await readAll(
    store,
    days.map((day) => store.bids.ref(day, accountId)),
  );
  const found = bids.filter((bid) => bid !== null);
  const auctions = await readAll(
    store,
    found.map(({ day }) => store.auctions.ref(day)),
  );
  return found.map((bid, at) => ({ bid, auction: auctions[at] ?? null }));
}

/** The days of those of them that name a creative or a card. */
export async function listLiveDays(
  services: Pick<Services, "store" | "clock">,
  { accountId, ...named }:
    & { accountId: string }
    & Partial<Pick<Bid, "adId" | "paymentMethodId">>,
): Promise<Day[]> {
  const { adId, paymentMethodId } = named;
  const bids = await listLiveBids(services, { accountId });
  return bids.filter((bid) =>
    (adId === undefined || bid.adId === adId) &&
    (paymentMethodId === undefined || bid.paymentMethodId === paymentMethodId)
  ).map(({ day }) => day);
}

/** From the first day with anything left to settle to the last with a bid. */
function unsettledDays(calendar: Calendar | null, today: Day): Day[] {
  if (calendar === null) return [];
  const { launchDay, settledThroughDay: settled } = calendar;
  const last = addDays(today, OPEN_AHEAD_DAYS);
  const first = settled === null ? launchDay : addDays(settled, 1);
  const count = Math.min(daysBetween(first, last) + 1, DAYS_MAX);
  return Array.from({ length: count }, (_, at) => addDays(first, at));
}
