import { assertEquals } from "@std/assert";
import type { Auction } from "../../../domain/auction/auction.ts";
import type { Bid } from "../../../domain/bids/bid.ts";
import type { Day } from "../../../domain/day.ts";
import { eraseBids } from "../../../domain/privacy/erase_bids.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import { invoiceOf } from "../../support/invoices.ts";
import { dayText } from "../../support/public_spotlights.ts";

/** A bid with its history on a day that stands so, and what erasing leaves. */
async function leftOf(
  { bid = {}, auction = {}, isInvoiced = false }: {
    bid?: Partial<Bid>;
    auction?: Partial<Auction>;
    isInvoiced?: boolean;
  },
): Promise<{ isKept: boolean; events: number }> {
  await using world = await openAuctionWorld();
  const { services } = world;
  const { store } = services;
  const ada = await world.advertiser("ada");
  const { id: accountId } = ada.account;
  const placed = await world.bid(ada, 5_000);
  const stored = { ...placed, ...bid };
  await store.transact((tx) => {
    tx.bids.save(stored);
    for (let raise = 0; raise < 3; raise++) {
      tx.bidEvents.save({
        bidId: placed.id,
        day: AUCTION_DAY,
        accountId,
        kind: raise === 0 ? "placed" : "raised",
        adId: ada.adId,
        amountCents: 5_000 + raise,
        atMs: placed.placedAtMs + raise,
        grantId: null,
      });
    }
    tx.calendar.save({ launchDay: AUCTION_DAY, settledThroughDay: null });
    tx.auctions.save(auctionOf(AUCTION_DAY, auction));
    if (isInvoiced) {
      tx.invoices.save(invoiceOf(accountId, "SPOT-1", { bidId: placed.id }));
    }
  });
  await eraseBids(services, { accountId, keepsName: false });
  const found = await store.bids.find(AUCTION_DAY, accountId);
  const events = await store.listBidEvents(placed.id, { limit: 9 });
  return { isKept: found !== null, events: events.length };
}

function auctionOf(day: Day, changes: Partial<Auction>): Auction {
  return {
    day,
    phase: "OPEN",
    openedAtMs: 1,
    closesAtMs: Date.parse(`${dayText("2026-11-20")}T23:55:00.000Z`),
    closedAtMs: null,
    settledAtMs: null,
    ...changes,
  };
}

const CLOSED = { phase: "CLOSED", closedAtMs: 2 } as const;
const SETTLED = { ...CLOSED, settledAtMs: 3 };
const ALL = { isKept: true, events: 3 };
const NOTHING = { isKept: false, events: 0 };

Deno.test("an erasure removes a bid and its history before its day closes, and once that has settled", async () => {
  assertEquals(await leftOf({}), NOTHING);
  assertEquals(await leftOf({ auction: SETTLED }), NOTHING);
});

Deno.test("an erasure leaves a bid and its history while its day is being settled", async () => {
  assertEquals(await leftOf({ auction: CLOSED }), ALL);
});

Deno.test("a bid that won, or that has an invoice, stays with the books", async () => {
  const won = { bid: { status: "won" as const }, auction: SETTLED };
  assertEquals(await leftOf(won), ALL);
  const failed = { bid: { status: "payment_failed" as const } };
  const invoiced = { ...failed, auction: SETTLED, isInvoiced: true };
  assertEquals(await leftOf(invoiced), ALL);
  assertEquals(await leftOf({ ...failed, auction: SETTLED }), NOTHING);
});
