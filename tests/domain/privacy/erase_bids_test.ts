import { assertEquals } from "@std/assert";
import { actAs } from "../../../domain/audit/act_as.ts";
import type { Auction } from "../../../domain/auction/auction.ts";
import type { Bid } from "../../../domain/bids/bid.ts";
import type { Day } from "../../../domain/day.ts";
import {
  eraseBids,
  FORMER_ADVERTISER,
} from "../../../domain/privacy/erase_bids.ts";
import { removeSpotlight } from "../../../domain/spotlights/remove_spotlight.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import { invoiceOf } from "../../support/invoices.ts";
import { dayText } from "../../support/public_spotlights.ts";
import { sellDay } from "../../support/restored_world.ts";

/** A bid with its history on a day that stands so, and what erasing leaves. */
async function leftOf(
  { bid = {}, auction = {}, isInvoiced = false }: {
    bid?: Partial<Bid>;
    auction?: Partial<Auction>;
    isInvoiced?: boolean;
  },
): Promise<{ isKept: boolean; events: number; counted: number }> {
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
  await eraseBids(services, { accountId, country: null });
  const found = await store.bids.find(AUCTION_DAY, accountId);
  const events = await store.listBidEvents(placed.id, { limit: 9 });
  const [counted] = await store.getMany([store.bidCounts.ref(AUCTION_DAY)]);
  const isKept = found !== null;
  return { isKept, events: events.length, counted: counted ?? 0 };
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
const ALL = { isKept: true, events: 3, counted: 1 };
const BOOKED = { ...ALL, events: 0 };
const NOTHING = { isKept: false, events: 0, counted: 1 };

Deno.test("an erasure removes a bid and its history before its day closes, and once that has settled", async () => {
  // Who looks at the open day sees one bid less.
  assertEquals(await leftOf({}), { ...NOTHING, counted: 0 });
  assertEquals(await leftOf({ auction: SETTLED }), NOTHING);
});

Deno.test("an erasure leaves a bid and its history while its day is being settled", async () => {
  assertEquals(await leftOf({ auction: CLOSED }), ALL);
});

Deno.test("a bid that won, or that has an invoice, stays with the books without its raises", async () => {
  const won = { bid: { status: "won" as const }, auction: SETTLED };
  assertEquals(await leftOf(won), BOOKED);
  const failed = { bid: { status: "payment_failed" as const } };
  const invoiced = { ...failed, auction: SETTLED, isInvoiced: true };
  assertEquals(await leftOf(invoiced), BOOKED);
  assertEquals(await leftOf({ ...failed, auction: SETTLED }), NOTHING);
});

Deno.test("an erasure takes a person's name from a settled day, tells readers, and leaves a company's", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  const { store } = services;
  const ada = await world.advertiser("ada");
  const other = await world.advertiser("other");
  await world.bid(ada, 5_000);
  await world.bid(other, 4_000);
  await sellDay(world);
  const { id: accountId } = ada.account;
  const settled = await store.settlements.find(AUCTION_DAY);
  const shows = (advertiser: string) =>
    store.transact(async (tx) => {
      const spotlight = await tx.spotlights.find(AUCTION_DAY);
      if (spotlight !== null) tx.spotlights.save({ ...spotlight, advertiser });
    });
  const erase = () => eraseBids(services, { accountId, country: "DE" });
  await shows("Quist Lamps GmbH");
  const before = await store.spotlightsVersion();
  await erase();
  assertEquals(await store.spotlightsVersion(), before);
  const kept = await store.spotlights.find(AUCTION_DAY);
  assertEquals(kept?.advertiser, "Quist Lamps GmbH");
  // A form of another country is none.
  await shows("Carla SA");
  await erase();
  assertEquals(await store.spotlightsVersion() === before, false);
  const shown = await store.spotlights.find(AUCTION_DAY);
  assertEquals(shown?.advertiser, FORMER_ADVERTISER);
  const after = await store.settlements.find(AUCTION_DAY);
  assertEquals(
    after?.candidates.map(({ accountId, copy }) => [accountId, copy]),
    settled?.candidates.map((each) => [
      each.accountId,
      each.accountId === accountId ? null : each.copy,
    ]),
  );
});

Deno.test("an erasure leaves a day's Spotlight to who has won it", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  const ada = await world.advertiser("ada");
  const winner = await world.advertiser("winner");
  await world.bid(ada, 4_000);
  await world.bid(winner, 5_000);
  await sellDay(world);
  const before = await services.store.spotlights.find(AUCTION_DAY);
  const { id: accountId } = ada.account;
  await eraseBids(services, { accountId, country: null });
  assertEquals(await services.store.spotlights.find(AUCTION_DAY), before);
});

Deno.test("what operators said of a day goes with who has won it, and stays with who has not", async () => {
  await using world = await openAuctionWorld();
  const { services } = world;
  const { store } = services;
  const winner = await world.advertiser("winner");
  const ada = await world.advertiser("ada");
  await world.bid(winner, 5_000);
  await world.bid(ada, 4_000);
  await sellDay(world);
  const order = {
    by: { kind: "key" as const, name: "night" },
    act: "spotlight.remove" as const,
    subject: AUCTION_DAY,
    reason: "It named a person",
  };
  await actAs(
    services,
    order,
    (acting) =>
      removeSpotlight(acting, { day: AUCTION_DAY, reason: order.reason }),
  );
  const said = async () => {
    const spotlight = await store.spotlights.find(AUCTION_DAY);
    const of = { subject: AUCTION_DAY, person: null, fromMs: 0 };
    const [act] = await store.listOperatorActs(
      { ...of, untilMs: Infinity },
      { limit: 9, before: null },
    );
    return [spotlight?.removalReason, act?.reason];
  };
  const erase = (accountId: string) =>
    eraseBids(services, { accountId, country: null });
  await erase(ada.account.id);
  assertEquals(await said(), [order.reason, order.reason]);
  await erase(winner.account.id);
  assertEquals(await said(), [null, null]);
});
