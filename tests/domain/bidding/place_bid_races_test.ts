import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { endEverySession } from "../../../domain/sessions/end_session.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import type { BidEvent } from "../../../domain/bids/bid.ts";
import type { PlaceBid } from "../../../domain/bidding/bid_state.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { addDays } from "../../../domain/day.ts";
import { Contention } from "../../../domain/failure.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import { Refused } from "../../../domain/refusal.ts";
import {
  type Agent,
  BID_DAY,
  bidBy,
  type BiddingWorld,
  inBrowser,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { assertRefused, refusalOf } from "../../support/refused.ts";

Deno.test("placeBid() has one effect for 20 requests at once with one key", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const placed = await Promise.all(
    Array.from({ length: 20 }, () => placeBid(world.services, bidBy(ada))),
  );
  const [first] = placed;
  assertEquals(placed.filter(({ replayed }) => !replayed).length, 1);
  for (const { answer } of placed) assertEquals(answer, first?.answer);
  assertEquals((await events(world, ada)).length, 1);
});

Deno.test("placeBid() keeps the higher of two raises made at once", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  await Promise.allSettled(
    [1_500, 1_400].map((amountCents) =>
      placeBid(world.services, bidBy(ada, { amountCents }))
    ),
  );
  const bid = await world.services.store.bids.find(BID_DAY, "acc_ada");
  assertEquals(bid?.amountCents, 1_500);
  assertEquals(await used(world, ada), 1_500);
});

Deno.test("placeBid() never passes the daily cap with bids made at once", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", { mandate: { dailyCapCents: 1_000 } });
  const days = [0, 1, 2, 3, 4, 5].map((later) => addDays(BID_DAY, later));
  for (const day of days) await world.open(day);
  const settled = await Promise.allSettled(days.map((day) =>
    placeBid(
      world.services,
      bidBy(ada, { day, amountCents: 400, key: day }),
    )
  ));
  const accepted = settled.filter(({ status }) => status === "fulfilled");
  assertEquals(accepted.length, 2);
  assertEquals(await used(world, ada), 800);
});

Deno.test("placeBid() never passes the total with bids made at once", async () => {
  await using world = await openBiddingWorld();
  const mandate = { dailyCapCents: 10_000, totalCapCents: 1_000 };
  const ada = await world.agent("ada", { mandate });
  const days = [0, 1, 2, 3, 4, 5].map((later) => addDays(BID_DAY, later));
  for (const day of days) await world.open(day);
  const settled = await Promise.allSettled(days.map((day) =>
    placeBid(
      world.services,
      bidBy(ada, { day, amountCents: 400, key: day }),
    )
  ));
  const accepted = settled.filter(({ status }) => status === "fulfilled");
  assertEquals(accepted.length, 2);
  const { store } = world.services;
  const grant = await store.grants.find(ada.grant.id);
  assertEquals(grant?.totalUse?.usedCents, 800);
  // The next day gives nothing back of it.
  world.clock.advance(86_400_000);
  const [, next] = days;
  assert(next);
  const more = { day: days[5] ?? next, amountCents: 700, key: "more" };
  await assertRefused(
    () => placeBid(world.services, bidBy(ada, more)),
    "mandate_exceeded",
  );
});

Deno.test("placeBid() counts an advertiser once who bids twice at once", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const browser = await inBrowser(world, ada);
  await Promise.all([
    placeBid(world.services, bidBy(ada, { amountCents: 900 })),
    placeBid(world.services, bidBy(ada, browser)),
  ].map((bid) => bid.catch(() => null)));
  const { store } = world.services;
  assertEquals(await store.getMany([store.bidCounts.ref(BID_DAY)]), [1]);
});

Deno.test("placeBid() refuses when the grant is revoked before the commit", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await meanwhile(world, bidBy(ada), "token_invalid", async () => {
    await revokeGrant(world.services, {
      grantId: ada.grant.id,
      accountId: ada.account.id,
    });
  });
});

Deno.test("placeBid() refuses when the browser is signed out before the commit", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const bid = bidBy(ada, await inBrowser(world, ada));
  await meanwhile(world, bid, "session_missing", async () => {
    await endEverySession(world.services, ada.account.id);
  });
});

Deno.test("placeBid() refuses when the day is closed before the commit", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await meanwhile(world, bidBy(ada), "auction_closed", async () => {
    await closeAuction(world.services, { day: BID_DAY });
  });
  const settlement = await world.services.store.settlements.find(BID_DAY);
  assertEquals(settlement?.candidates, []);
});

Deno.test("placeBid() refuses when the creative falls before the commit", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await meanwhile(world, bidBy(ada), "human_step_required", async () => {
    await world.services.store.transact(async (tx) => {
      const creative = await tx.creatives.find("acc_ada", "ad_ada");
      assert(creative);
      tx.creatives.save({ ...creative, state: "rejected" });
    });
  });
});

Deno.test("placeBid() refuses when the account is suspended before the commit", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await meanwhile(world, bidBy(ada), "human_step_required", async () => {
    await world.services.store.transact((tx) => {
      tx.accounts.save({ ...ada.account, suspendedAtMs: 1 });
    });
  });
});

Deno.test("placeBid() judges a bid by the clock of the attempt that commits", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const { kv } = world.testStore;
  const again = Promise.withResolvers<void>();
  const nth = kv.readCount + 2;
  kv.inject({ on: "commit", fault: { kind: "conflict" } });
  kv.inject({ on: "read", nth, fault: { kind: "hold", until: again.promise } });
  const bid = refusalOf(() => placeBid(world.services, bidBy(ada)));
  while (kv.readCount < nth) await nextTurn();
  world.clock.set("2026-11-20T23:55:00.000Z");
  again.resolve();
  assertEquals((await bid)?.code, "auction_closed");
});

Deno.test("placeBid() keeps its promises under bids made at once", async () => {
  const bid = fc.record({
    who: fc.integer({ min: 0, max: 2 }),
    amountCents: fc.integer({ min: 100, max: 140 }),
    key: fc.integer({ min: 0, max: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(bid, { maxLength: 24 }), async (bids) => {
      await using world = await openBiddingWorld();
      const mandate = { dailyCapCents: 150, maxBidCents: 130 };
      const agents = [
        await world.agent("ada", { mandate }),
        // A second agent of the same advertiser.
        await world.agent("ada", { mandate }),
        await world.agent("bob", { mandate }),
      ];
      const answers = new Map<string, string>();
      await Promise.all(bids.map(async ({ who, amountCents, key: of }) => {
        const agent = agents[who];
        assert(agent);
        const key = `k${of}`;
        const placed = await attempt(
          world,
          bidBy(agent, { amountCents, key }),
        );
        if (placed === null) return;
        const name = `${who} ${key}`;
        const earlier = answers.get(name) ?? placed.answer.body;
        assertEquals(placed.answer.body, earlier);
        answers.set(name, earlier);
      }));
      await assertSound(world, agents, answers.size);
    }),
    { numRuns: 40 },
  );
});

/** The bid's answer, or null when it was refused or lost ten races. */
async function attempt(
  world: BiddingWorld,
  bid: PlaceBid,
): Promise<Awaited<ReturnType<typeof placeBid>> | null> {
  try {
    return await placeBid(world.services, bid);
  } catch (thrown) {
    if (thrown instanceof Refused || thrown instanceof Contention) return null;
    throw thrown;
  }
}

async function assertSound(
  world: BiddingWorld,
  agents: readonly Agent[],
  accepted: number,
): Promise<void> {
  const { store } = world.services;
  const [ada, , bob] = agents;
  assert(ada && bob);
  const bids = await store.listBids(BID_DAY, { limit: 9 });
  assertEquals(await store.getMany([store.bidCounts.ref(BID_DAY)]), [
    bids.length,
  ]);
  const committed = new Map<string, number>();
  let count = 0;
  for (const agent of [ada, bob]) {
    let amount = 0;
    for (const event of await events(world, agent)) {
      assertEquals(event.kind, amount === 0 ? "placed" : "raised");
      const grantId = event.grantId ?? "";
      const before = committed.get(grantId) ?? 0;
      committed.set(grantId, before + event.amountCents - amount);
      amount = event.amountCents;
      count += 1;
    }
    const bid = await store.bids.find(BID_DAY, agent.account.id);
    assertEquals(bid?.amountCents ?? 0, amount);
  }
  assertEquals(count, accepted);
  for (const agent of agents) {
    const spent = await used(world, agent);
    assertEquals(spent, committed.get(agent.grant.id) ?? 0);
    assert(spent <= 150, "the daily cap was passed");
  }
}

/** Lets something happen between a bid's read and its commit. */
async function meanwhile(
  world: BiddingWorld,
  bid: PlaceBid,
  code: Parameters<typeof assertRefused>[1],
  happen: () => Promise<void>,
): Promise<void> {
  const other = world.testStore.another();
  const gate = Promise.withResolvers<void>();
  other.kv.inject({
    on: "commit",
    fault: { kind: "hold", until: gate.promise },
  });
  const held = assertRefused(
    () => placeBid(world.over(other.store), bid),
    code,
  );
  while (other.kv.commits.length === 0) await nextTurn();
  await happen();
  gate.resolve();
  await held;
  assertEquals(await world.services.store.bids.find(BID_DAY, "acc_ada"), null);
}

async function events(world: BiddingWorld, agent: Agent): Promise<BidEvent[]> {
  const { store } = world.services;
  const bid = await store.bids.find(BID_DAY, agent.account.id);
  return bid ? await store.listBidEvents(bid.id, { limit: 99 }) : [];
}

async function used(world: BiddingWorld, agent: Agent): Promise<number> {
  const { mandateUses } = world.services.store;
  return (await mandateUses.find(agent.grant.id, BID_DAY))?.usedCents ?? 0;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
