/** What closing a day reads and writes, however often and wherever it is done. */
import { assertEquals, assertRejects } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { InvariantBroken } from "../../../domain/invariant.ts";
import type { Services, Store } from "../../../domain/ports.ts";
import {
  closeAuction,
  rankCandidates,
} from "../../../domain/settlement/close_auction.ts";
import {
  AUCTION_DAY as day,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";

/** The services over a store that lists bids differently. */
function listing(services: Services, listBids: Store["listBids"]): Services {
  const store = Object.assign(Object.create(services.store), { listBids });
  return { ...services, store };
}

async function bidDay(): Promise<AuctionWorld> {
  const world = await openAuctionWorld();
  await openAuction(world.services, { day });
  await world.bid(await world.advertiser("ada"), 500);
  return world;
}

Deno.test("closeAuction() ranks nobody rather than some of more bids than it reads, and all once they can be read", async () => {
  await using world = await bidDay();
  const { services } = world;
  const { store } = services;
  const [bid] = await store.listBids(day, { limit: 1 });
  const read: number[] = [];
  const full = listing(services, (_day, { limit }) => {
    read.push(limit);
    return Promise.resolve(Array(limit).fill(bid));
  });
  await assertRejects(() => closeAuction(full, { day }), InvariantBroken);
  assertEquals(read, [100_000]);
  assertEquals(await store.settlements.find(day), null);
  await closeAuction(services, { day });
  const settlement = await store.settlements.find(day);
  assertEquals(settlement?.candidates.map(({ bidId }) => bidId), [bid?.id]);
});

Deno.test("closeAuction() reads the bids once, however often it is repeated", async () => {
  await using world = await bidDay();
  let read = 0;
  const services = listing(world.services, (of, options) => {
    read++;
    return world.services.store.listBids(of, options);
  });
  for (let time = 0; time < 3; time++) await closeAuction(services, { day });
  assertEquals(read, 1);
});

Deno.test("closeAuction() in two processes writes one settlement, and logs the close once", async () => {
  await using world = await bidDay();
  const other = world.another().services;
  const services = listing(world.services, async (of, options) => {
    await closeAuction(other, { day });
    return await world.services.store.listBids(of, options);
  });
  await closeAuction(services, { day });
  const closed = world.log.events.filter((event) => event.includes("closed"));
  assertEquals(closed, ["auction.closed"]);
});

Deno.test("rankCandidates() takes the best five of the bids that stand", async () => {
  await using world = await bidDay();
  const [bid] = await world.services.store.listBids(day, { limit: 1 });
  if (bid === undefined) throw new Error("Nobody has bid");
  const bids = [500, 900, 700, 600, 800, 400, 1_000].map((amountCents) => ({
    ...bid,
    amountCents,
    status: amountCents === 900 ? "void" as const : bid.status,
  }));
  assertEquals(
    rankCandidates(bids, 1).map(({ amountCents }) => amountCents),
    [1_000, 800, 700, 600, 500],
  );
});
