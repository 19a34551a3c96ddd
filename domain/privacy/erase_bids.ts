import { isBeingSettled } from "../auction/auction.ts";
import { isCompanyName } from "../accounts/company_name.ts";
import type { Bid } from "../bids/bid.ts";
import type { Day } from "../day.ts";
import { everyInvoice } from "../invoices/every_invoice.ts";
import type { Services, Transaction } from "../ports.ts";
import type { Spotlight } from "../spotlights/spotlight.ts";
import { emptyActs } from "./erase_rows.ts";
import { everyBid } from "./own_records.ts";
import { emptiedBid, emptiedDay, eraseBidEvents } from "./settled_bids.ts";

/** What readers see on settled days in place of a person's name. */
export const FORMER_ADVERTISER = "Former advertiser";

/** Whose bids are erased. */
export interface ErasedBids {
  accountId: string;
  /** The company's, whose forms say which names are companies'; null: unknown. */
  country: string | null;
}

/**
 * Removes the bids of an account and what their days know of it. A bid that
 * stands is void by that; one with an invoice stays with the books, but for its
 * raises. A day that is being settled is left, and the emptied account loses it.
 *
 * @returns `some_left` where a day is being settled: what that knows goes once it
 *   has ended
 */
export async function eraseBids(
  services: Services,
  erased: ErasedBids,
): Promise<"all_gone" | "some_left"> {
  const { accountId } = erased;
  const invoiced = new Set<string>();
  for await (const { bidId } of everyInvoice(services, accountId)) {
    invoiced.add(bidId);
  }
  let left: "all_gone" | "some_left" = "all_gone";
  for await (const { bid } of everyBid(services, accountId)) {
    const isKept = bid.status === "won" || invoiced.has(bid.id);
    if (await mayGo(services, bid)) {
      await eraseBidEvents(services, { bidId: bid.id });
    }
    const isGone = await eraseBid(services, { ...erased, bid, isKept });
    if (!isGone) left = "some_left";
    if (bid.status === "won") await emptyActs(services, bid.day);
  }
  return left;
}

/** Whether no settlement is about to read the bid. */
async function mayGo({ store }: Services, { day }: Bid): Promise<boolean> {
  return !isBeingSettled(await store.auctions.find(day));
}

/**
 * Every commit checks the auction: none removes a bid that is being ranked.
 *
 * @returns whether nothing is left for when the day has settled
 */
function eraseBid(
  { store }: Services,
  { bid: { day }, isKept, ...erased }: ErasedBids & {
    bid: Bid;
    isKept: boolean;
  },
): Promise<boolean> {
  const { accountId } = erased;
  return store.transact(async (tx) => {
    const [bid, auction, settlement, spotlight] = await tx.getMany([
      tx.bids.ref(day, accountId),
      tx.auctions.ref(day),
      tx.settlements.ref(day),
      tx.spotlights.ref(day),
    ]);
    const isSettled = (auction?.settledAtMs ?? null) !== null;
    if (isSettled && settlement !== null) {
      const isInvoiced = isKept;
      tx.settlements.save(emptiedDay(settlement, { accountId, isInvoiced }));
    }
    if (isSettled) eraseShown(tx, erased, spotlight);
    if (isBeingSettled(auction)) return false;
    if (bid === null) return true;
    if (isKept) {
      tx.bids.save(emptiedBid(bid));
      return true;
    }
    tx.bids.remove(bid);
    if (auction?.phase === "OPEN") await countNoMore(tx, day);
    return true;
  });
}

/** The bids of an open day are told; none below none, of rows made otherwise. */
async function countNoMore(tx: Transaction, day: Day): Promise<void> {
  const [count] = await tx.getMany([tx.bidCounts.ref(day)]);
  if ((count ?? 0) > 0) tx.bidCounts.add(-1, day);
}

/** What a settled day still shows of the owner of its ad. */
function eraseShown(
  tx: Transaction,
  { accountId, country }: ErasedBids,
  spotlight: Spotlight | null,
): void {
  if (spotlight?.accountId !== accountId) return;
  const advertiser = nameLeft(spotlight, country);
  const isDone = spotlight.advertiser === advertiser &&
    spotlight.removalReason === null;
  if (isDone) return;
  // Why an operator removed it is said of its advertiser.
  tx.spotlights.save({ ...spotlight, advertiser, removalReason: null });
  tx.touchSpotlights();
}

/**
 * What is left of the name that a Spotlight shows. It is asked of this name: the
 * account may have had another when it won the day than it has at its end.
 */
export function nameLeft(
  { advertiser }: Pick<Spotlight, "advertiser">,
  country: string | null,
): string {
  return isCompanyName(advertiser, country) ? advertiser : FORMER_ADVERTISER;
}
