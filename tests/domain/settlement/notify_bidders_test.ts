/** Bidders of days are told once each, however many they are and whoever does it. */
import { assertEquals } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { addDays } from "../../../domain/day.ts";
import { noticeBidders } from "../../../domain/events/day_notice.ts";
import { groupsOf } from "../../../domain/groups.ts";
import type { Services, Store } from "../../../domain/ports.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { notifyBidders } from "../../../domain/settlement/notify_bidders.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import {
  AUCTION_DAY as day,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { eventsOf } from "../../support/told_events.ts";

const next = addDays(day, 1);

/** The services over a store that lists bids differently. */
function listing(services: Services, listBids: Store["listBids"]): Services {
  const store = Object.assign(Object.create(services.store), { listBids });
  return { ...services, store };
}

/** How many notices are left. */
async function leftOf({ store, clock }: Services): Promise<number> {
  return (await store.listDue("notices", clock.now(), { limit: 200 })).length;
}

/** Two days that one advertiser bid on, closed. */
async function twoDays(): Promise<AuctionWorld> {
  const world = await openAuctionWorld({ isAtHand: true });
  const { services, clock } = world;
  const ada = await world.advertiser("ada");
  for (const each of [day, next]) {
    await openAuction(services, { day: each });
    await world.bid(ada, 500, each);
    clock.set(`${each}T23:55:00.000Z`);
    await closeAuction(services, { day: each });
  }
  return world;
}

Deno.test("notifyBidders() works on 100 notices a run", async () => {
  await using world = await openAuctionWorld({ isAtHand: true });
  const { services, clock } = world;
  for (let nth = 0; nth < 101; nth++) {
    await services.store.transact((tx) =>
      noticeBidders(tx, addDays(day, nth), "closed", clock.now())
    );
  }
  await notifyBidders(services);
  assertEquals(await leftOf(services), 1);
});

for (const [tookMs, left] of [[44_999, 0], [45_000, 1]] as const) {
  Deno.test(`notifyBidders() leaves ${left} of two days where the first takes ${tookMs} ms`, async () => {
    await using world = await twoDays();
    const { services, clock } = world;
    let isFirst = true;
    await notifyBidders(listing(services, (of, options) => {
      if (isFirst) clock.advance(tookMs);
      isFirst = false;
      return services.store.listBids(of, options);
    }));
    assertEquals(await leftOf(services), left);
  });
}

Deno.test("notifyBidders() tells the bidders of other days though those of one can't be read, and logs which", async () => {
  await using world = await twoDays();
  const { services } = world;
  await notifyBidders(listing(services, (of, options) => {
    if (of === day) throw new RangeError("a row that nobody can read");
    return services.store.listBids(of, options);
  }));
  const told = await eventsOf(services, "acc_ada");
  assertEquals(told.map(({ data }) => data["day"]), [next]);
  assertEquals(JSON.parse(world.log.lines.at(-1) ?? ""), {
    event: "event.bidders_untold",
    notice: `${day}:closed`,
    error: "RangeError",
  });
  assertEquals(await leftOf(services), 1);
});

Deno.test("bidders are told when a day was closed and when they lost, however late they are told", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  await openAuction(services, { day });
  await world.bid(await world.advertiser("ada"), 500);
  await world.bid(await world.advertiser("bob"), 400);
  const closedAtMs = clock.now();
  await closeAuction(services, { day });
  clock.advance(60_000);
  const settledAtMs = clock.now();
  await settleDay(services, { day });
  clock.advance(60_000);
  await notifyBidders(services);
  const told = await eventsOf(services, "acc_bob");
  assertEquals(told.map(({ type, atMs }) => [type, atMs]), [
    ["auction.closed", closedAtMs],
    ["bid.lost", settledAtMs],
  ]);
});

const MANY = 420;

/** A day that has closed with more bidders than are read at once. */
async function manyBidders(): Promise<AuctionWorld> {
  const world = await openAuctionWorld({ isAtHand: true });
  const { services } = world;
  const { store } = services;
  await openAuction(services, { day });
  await world.bid(await world.advertiser("000"), 500);
  const [bid] = await store.listBids(day, { limit: 1 });
  if (bid === undefined) throw new Error("Nobody has bid");
  const names = Array.from({ length: MANY - 1 }, (_, nth) => nth + 1)
    .map((nth) => `acc_${String(nth).padStart(3, "0")}`);
  for (const some of groupsOf(names)) {
    await store.transact((tx) =>
      some.forEach((accountId) =>
        tx.bids.save({ ...bid, id: `bid_${accountId}`, accountId })
      )
    );
  }
  await closeAuction(services, { day });
  return world;
}

/** How often each of many bidders was told of the close. */
async function timesTold({ services }: AuctionWorld): Promise<number[]> {
  const bids = await services.store.listBids(day, { limit: 2 * MANY });
  const told = await Promise.all(
    bids.map(({ accountId }) => eventsOf(services, accountId)),
  );
  return told.map((events) => events.length);
}

Deno.test("notifyBidders() tells each bidder of a day once that has more than are read at once", async () => {
  await using world = await manyBidders();
  await notifyBidders(world.services);
  assertEquals(await timesTold(world), Array(MANY).fill(1));
  assertEquals(await leftOf(world.services), 0);
});

Deno.test("notifyBidders() tells nobody again whom another process has told meanwhile", async () => {
  await using world = await manyBidders();
  const { services, clock } = world;
  const other = world.another().services;
  // Its time is over with the first bids that it reads.
  const hurried = listing(other, (of, options) => {
    clock.advance(1);
    return other.store.listBids(of, options);
  });
  let isFirst = true;
  await notifyBidders(listing(services, async (of, options) => {
    const read = await services.store.listBids(of, options);
    if (isFirst) await notifyBidders(hurried, 1);
    isFirst = false;
    return read;
  }));
  assertEquals(await timesTold(world), Array(MANY).fill(1));
});
