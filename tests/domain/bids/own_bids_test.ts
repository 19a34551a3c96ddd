import { assert, assertEquals } from "@std/assert";
import { findBid } from "../../../domain/bids/find_bid.ts";
import { listMyBids } from "../../../domain/bids/list_my_bids.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { addDays } from "../../../domain/day.ts";
import {
  BID_DAY,
  bidBy,
  inBrowser,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { assertRefused } from "../../support/refused.ts";

const mine = { accountId: "acc_ada", day: BID_DAY };

Deno.test("listMyBids() lists one's own bid of the day and no other", async () => {
  await using world = await openBiddingWorld();
  const [ada, bob] = [await world.agent("ada"), await world.agent("bob")];
  await placeBid(world.services, bidBy(bob, { amountCents: 9_999 }));
  assertEquals(await listMyBids(world.services, mine), []);
  await placeBid(world.services, bidBy(ada));
  const listed = await listMyBids(world.services, mine);
  assertEquals(listed.map(({ bid }) => bid.accountId), ["acc_ada"]);
  const other = { ...mine, day: addDays(BID_DAY, 1) };
  assertEquals(await listMyBids(world.services, other), []);
});

Deno.test("listMyBids() lists bids placed in the browser too", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada, await inBrowser(world, ada)));
  const [own] = await listMyBids(world.services, mine);
  assertEquals(own?.bid.grantId, null);
});

Deno.test("listMyBids() calls an active bid lost once its day has settled", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  const [active] = await listMyBids(world.services, mine);
  assertEquals(active?.status, "active");
  await world.services.store.transact(async (tx) => {
    const auction = await tx.auctions.find(BID_DAY);
    assert(auction);
    tx.auctions.save({ ...auction, phase: "CLOSED", settledAtMs: 1 });
  });
  const [lost] = await listMyBids(world.services, mine);
  assertEquals(lost?.status, "lost");
});

Deno.test("findBid() answers one's own bid", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  const [own] = await listMyBids(world.services, mine);
  assert(own);
  const found = await findBid(world.services, {
    accountId: "acc_ada",
    bidId: own.bid.id,
  });
  assertEquals(found, own);
});

Deno.test("findBid() cannot tell another's bid from an unknown one", async () => {
  await using world = await openBiddingWorld();
  const bob = await world.agent("bob");
  await placeBid(world.services, bidBy(bob));
  const [theirs] = await listMyBids(world.services, {
    ...mine,
    accountId: "acc_bob",
  });
  assert(theirs);
  const ids = [theirs.bid.id, "bid_unknown", "", "../..", "x".repeat(9_000)];
  for (const bidId of ids) {
    await assertRefused(
      () => findBid(world.services, { accountId: "acc_ada", bidId }),
      "bid_not_found",
    );
  }
});
