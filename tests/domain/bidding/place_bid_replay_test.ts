import { assertEquals, assertRejects } from "@std/assert";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { DAY_MS } from "../../../domain/day.ts";
import {
  Contention,
  OutcomeUnknown,
  StoreUnavailable,
} from "../../../domain/failure.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import { everyCrashPoint } from "../../support/faults.ts";
import {
  BID_DAY,
  BID_DAY_CLOSES_MS,
  bidBy,
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { assertRefused } from "../../support/refused.ts";

Deno.test("placeBid() gives the same key the same answer and one effect", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const first = await placeBid(world.services, bidBy(ada));
  await placeBid(world.services, bidBy(await world.agent("bob")));
  const again = await placeBid(world.services, bidBy(ada));
  assertEquals(again, { ...first, replayed: true });
  assertEquals(await effects(world), { bidders: 2, count: 2, used: 1_000 });
});

Deno.test("placeBid() replays after the auction has closed", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const first = await placeBid(world.services, bidBy(ada));
  world.clock.set(BID_DAY_CLOSES_MS);
  await closeAuction(world.services, { day: BID_DAY });
  const again = await placeBid(world.services, bidBy(ada));
  assertEquals(again.answer, first.answer);
});

Deno.test("placeBid() replays a bid although a card came with it", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const bid = bidBy(ada, { paymentMethodId: "pm_ada" });
  const first = await placeBid(world.services, bid);
  assertEquals((await placeBid(world.services, bid)).answer, first.answer);
});

Deno.test("placeBid() replays although mandate and account have fallen", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", {
    mandate: { validUntilMs: world.clock.now() + 1_000 },
  });
  const first = await placeBid(world.services, bidBy(ada));
  world.clock.advance(1_000);
  await world.services.store.transact((tx) => {
    tx.accounts.save({ ...ada.account, suspendedAtMs: 1 });
  });
  const again = await placeBid(world.services, bidBy(ada));
  assertEquals(again.answer, first.answer);
});

Deno.test("placeBid() replays nothing to a grant that lost bids:write", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  await world.services.store.transact((tx) => {
    tx.grants.save({ ...ada.grant, scopes: ["bids:read"] });
  });
  await assertRefused(
    () => placeBid(world.services, bidBy(ada)),
    "scope_missing",
  );
});

Deno.test("placeBid() replays nothing to a revoked grant", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  await revokeGrant(world.services, {
    grantId: ada.grant.id,
    accountId: ada.account.id,
  });
  await assertRefused(
    () => placeBid(world.services, bidBy(ada)),
    "token_invalid",
  );
});

Deno.test("placeBid() refuses another request with a used key", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const key = "same";
  await placeBid(world.services, bidBy(ada, { key }));
  const others = [
    { amountCents: 2_000 },
    { adId: "ad_other" },
    { paymentMethodId: "pm_ada" },
  ];
  for (const other of others) {
    const bid = bidBy(ada, { ...other, key });
    await assertRefused(
      () => placeBid(world.services, bid),
      "idempotency_conflict",
    );
  }
  assertEquals(await effects(world), { bidders: 1, count: 1, used: 1_000 });
});

Deno.test("placeBid() keeps the keys of two grants apart", async () => {
  await using world = await openBiddingWorld();
  const [ada, bob] = [await world.agent("ada"), await world.agent("bob")];
  const key = "same";
  await placeBid(world.services, bidBy(ada, { key }));
  const other = await placeBid(world.services, bidBy(bob, { key }));
  assertEquals(other.replayed, false);
});

Deno.test("placeBid() leaves a key free when the bid is refused", async () => {
  await using world = await openBiddingWorld({ opened: false });
  const ada = await world.agent("ada");
  const key = "same";
  await assertRefused(
    () => placeBid(world.services, bidBy(ada, { key })),
    "auction_not_open",
  );
  await world.open();
  const bid = bidBy(ada, { key, amountCents: 2_000 });
  assertEquals((await placeBid(world.services, bid)).replayed, false);
});

Deno.test("placeBid() forgets a key after 30 days", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", {
    mandate: { validUntilMs: world.clock.now() + 90 * DAY_MS },
  });
  await placeBid(world.services, bidBy(ada));
  world.clock.advance(30 * DAY_MS - 1);
  assertEquals((await placeBid(world.services, bidBy(ada))).replayed, true);
  world.clock.advance(1);
  await assertRefused(
    () => placeBid(world.services, bidBy(ada)),
    "auction_closed",
  );
});

Deno.test("placeBid() replays to a client whose answer was lost", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  world.testStore.kv.inject({ on: "commit", fault: { kind: "fail_after" } });
  await assertRejects(
    () => placeBid(world.services, bidBy(ada)),
    OutcomeUnknown,
  );
  const again = await placeBid(world.services, bidBy(ada));
  assertEquals(again.replayed, true);
  assertEquals(await effects(world), { bidders: 1, count: 1, used: 1_000 });
});

Deno.test("placeBid() places the bid of a client whose commit was lost", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  world.testStore.kv.inject({ on: "commit", fault: { kind: "fail_before" } });
  await assertRejects(
    () => placeBid(world.services, bidBy(ada)),
    OutcomeUnknown,
  );
  const again = await placeBid(world.services, bidBy(ada));
  assertEquals(again.replayed, false);
  assertEquals(await effects(world), { bidders: 1, count: 1, used: 1_000 });
});

Deno.test("a bid that was answered 503 over a network comes in no later", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const { kv } = world.testStore;
  kv.inject({ on: "commit", fault: { kind: "late" } });
  const bid = () => placeBid(world.services, bidBy(ada));
  await assertRejects(bid, StoreUnavailable);
  await kv.arrive();
  assertEquals(await effects(world), { bidders: 0, count: 0, used: 0 });
  assertEquals((await bid()).replayed, false);
  assertEquals(await effects(world), { bidders: 1, count: 1, used: 1_000 });
});

Deno.test("a bid whose commit its client sent again is placed at once, once", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  world.testStore.kv.inject({ on: "commit", fault: { kind: "resent" } });
  const first = await placeBid(world.services, bidBy(ada));
  assertEquals(first.replayed, false);
  assertEquals(await effects(world), { bidders: 1, count: 1, used: 1_000 });
});

Deno.test("placeBid() gives up after ten lost races and has done nothing", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  world.testStore.kv.inject({
    on: "commit",
    times: 10,
    fault: { kind: "conflict" },
  });
  await assertRejects(() => placeBid(world.services, bidBy(ada)), Contention);
  assertEquals(await effects(world), { bidders: 0, count: 0, used: 0 });
});

Deno.test("placeBid() has one effect wherever the process dies", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using world = await openBiddingWorld();
    const ada = await world.agent("ada");
    const dying = world.testStore.another();
    dying.kv.crashAt(point);
    const bid = bidBy(ada);
    await placeBid(world.over(dying.store), bid).catch(() => null);
    await placeBid(world.services, bid);
    assertEquals(await effects(world), { bidders: 1, count: 1, used: 1_000 });
    return dying.kv.dead;
  });
  assertEquals(points, 2);
});

/** What bidding has left behind: bids, the count of bidders, Ada's use. */
async function effects({ services }: BiddingWorld) {
  const { store } = services;
  const bids = await store.listBids(BID_DAY, { limit: 99 });
  const [count] = await store.getMany([store.bidCounts.ref(BID_DAY)]);
  const ada = (await store.listGrants("acc_ada", { limit: 1 }))[0];
  const use = ada && await store.mandateUses.find(ada.id, BID_DAY);
  return { bidders: bids.length, count, used: use?.usedCents ?? 0 };
}
