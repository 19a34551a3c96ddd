import { assertEquals } from "@std/assert";
import { listLiveBids } from "../../../domain/bids/list_live_bids.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { addDays } from "../../../domain/day.ts";
import {
  BID_DAY,
  bidBy,
  openBiddingWorld,
} from "../../support/bidding_world.ts";

Deno.test("listLiveBids() lists own bids of open days, by day", async () => {
  await using world = await openBiddingWorld();
  const [ada, eve] = [await world.agent("ada"), await world.agent("eve")];
  const later = addDays(BID_DAY, 31);
  await world.open(later);
  await placeBid(
    world.services,
    bidBy(ada, { day: later, key: "k" }),
  );
  await placeBid(world.services, bidBy(ada));
  await placeBid(world.services, bidBy(eve));
  const bids = await listLiveBids(world.services, {
    accountId: ada.account.id,
  });
  assertEquals(bids.map(({ day }) => day), [BID_DAY, later]);
  assertEquals(bids.every((bid) => bid.accountId === ada.account.id), true);
});

Deno.test("listLiveBids() leaves out what is settled and what fell away", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  const { store, clock } = world.services;
  const accountId = ada.account.id;
  await store.transact(async (tx) => {
    const auction = await tx.auctions.find(BID_DAY);
    if (auction) tx.auctions.save({ ...auction, settledAtMs: clock.now() });
  });
  assertEquals(await listLiveBids(world.services, { accountId }), []);
  await store.transact(async (tx) => {
    const auction = await tx.auctions.find(BID_DAY);
    const bid = await tx.bids.find(BID_DAY, accountId);
    if (auction) tx.auctions.save({ ...auction, settledAtMs: null });
    if (bid) tx.bids.save({ ...bid, status: "void" });
  });
  assertEquals(await listLiveBids(world.services, { accountId }), []);
});

Deno.test("listLiveBids() finds a bid whose day is long in settlement", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  const accountId = ada.account.id;
  await world.services.store.transact((tx) => {
    tx.settlements.save(
      {
        day: BID_DAY,
        state: "running",
        candidates: [],
      } as unknown as Parameters<typeof tx.settlements.save>[0],
    );
  });
  world.clock.advance(5 * 86_400_000);
  const bids = await listLiveBids(world.services, { accountId });
  assertEquals(bids.map(({ day }) => day), [BID_DAY]);
});
