import {
  assert,
  assertEquals,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import type { Bid, BidEvent } from "../../../domain/bids/bid.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { DAY_MS, dayOf } from "../../../domain/day.ts";
import { keys } from "../../../kv/keys.ts";
import {
  type Agent,
  BID_DAY,
  BID_DAY_CLOSES_MS,
  bidBy,
  type BiddingWorld,
  inBrowser,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { assertRefused } from "../../support/refused.ts";
import { wordsOf } from "../../support/mail_words.ts";

Deno.test("placeBid() leaves account and creative unwritten, which every other bid checks", async () => {
  await using world = await openBiddingWorld();
  const { realKv } = world.testStore;
  const ada = await world.agent("ada");
  const read = () =>
    realKv.getMany([
      keys.account("acc_ada"),
      keys.creative("acc_ada", "ad_ada"),
    ]);
  const before = await read();
  await placeBid(world.services, bidBy(ada));
  assertEquals(await read(), before);
});

Deno.test("placeBid() stores the bid and answers the auction with it", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const { answer, replayed } = await placeBid(world.services, bidBy(ada));
  assertEquals(replayed, false);
  assertEquals(answer.status, 200);
  assertEquals(JSON.parse(answer.body), {
    day: BID_DAY,
    phase: "OPEN",
    bidCount: 1,
    openedAt: "2026-11-20T12:00:00.000Z",
    closesAt: "2026-11-20T23:55:00.000Z",
    closedAt: null,
  });
  assertEquals(await bidOf(world, ada), {
    id: (await bidOf(world, ada)).id,
    day: BID_DAY,
    accountId: "acc_ada",
    adId: "ad_ada",
    amountCents: 1_000,
    status: "active",
    placedAtMs: world.clock.now(),
    paymentMethodId: "pm_ada",
    grantId: ada.grant.id,
  });
});

Deno.test("placeBid() reads once and commits once", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const { kv } = world.testStore;
  const [reads, commits] = [kv.readCount, kv.commits.length];
  await placeBid(world.services, bidBy(ada, { paymentMethodId: "pm_ada" }));
  assertEquals(kv.readCount - reads, 1);
  assertEquals(kv.commits.length - commits, 1);
  assertEquals(kv.commits.at(-1)?.checks.length, 8);
});

Deno.test("placeBid() mails the owner the first bid of a day in its commit, whoever places it, and no raise", async () => {
  for (const isAgent of [true, false]) {
    await using world = await openBiddingWorld();
    const ada = await world.agent("ada");
    const placed = isAgent ? {} : await inBrowser(world, ada);
    await placeBid(world.services, bidBy(ada, placed));
    const commits = world.testStore.kv.commits.length;
    const raised = { ...placed, amountCents: 2_050 };
    await placeBid(world.services, bidBy(ada, raised));
    assertEquals(world.testStore.kv.commits.length, commits + 1);
    const mails = await world.services.store.listMails({ limit: 9 });
    const [mail, ...more] = mails;
    assertEquals(more, []);
    assertEquals(
      [mail?.to, mail?.subject],
      [ada.account.email, "Your bid for 2026-11-20 stands"],
    );
    for (
      const said of [
        isAgent ? `Your agent "${ada.grant.client.name}" bid` : "You bid",
        "Amount: EUR 10.00",
        "Ad: Headline of ada",
        "Shown if it wins: 20 Nov 23:55 – 21 Nov 23:55 UTC",
        "neither lowered nor withdrawn",
        "https://spotlight.example/settings",
      ]
    ) assertStringIncludes(wordsOf(mail), said);
    const agentsPage = "https://spotlight.example/agents";
    assertEquals(wordsOf(mail).includes(agentsPage), isAgent);
  }
});

Deno.test("placeBid() mails nobody of a bid that is refused", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", { account: { suspendedAtMs: 1 } });
  await assertRefused(
    () => placeBid(world.services, bidBy(ada)),
    "human_step_required",
  );
  const mails = await world.services.store.listMails({ limit: 9 });
  assertEquals(mails, []);
});

Deno.test("placeBid() keeps the id when the bid is raised", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  const first = await bidOf(world, ada);
  world.clock.advance(5_000);
  await placeBid(world.services, bidBy(ada, { amountCents: 1_001 }));
  assertEquals(await bidOf(world, ada), {
    ...first,
    amountCents: 1_001,
    placedAtMs: first.placedAtMs + 5_000,
  });
});

Deno.test("placeBid() places no raise before the bid it raises, by a clock that is behind", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  const { id, placedAtMs } = await bidOf(world, ada);
  world.clock.advance(-5_000);
  await placeBid(world.services, bidBy(ada, { amountCents: 1_001 }));
  assertEquals((await bidOf(world, ada)).placedAtMs, placedAtMs);
  const events = await world.services.store.listBidEvents(id, { limit: 9 });
  assertEquals(events.map(({ atMs }) => atMs), [placedAtMs, placedAtMs]);
});

Deno.test("placeBid() counts a bidder once, however often it raises", async () => {
  await using world = await openBiddingWorld();
  const [ada, bob] = [await world.agent("ada"), await world.agent("bob")];
  const counts = [];
  for (
    const [who, amountCents] of [[ada, 500], [ada, 600], [bob, 500]] as const
  ) {
    const { answer } = await placeBid(
      world.services,
      bidBy(who, { amountCents }),
    );
    counts.push(JSON.parse(answer.body).bidCount);
  }
  assertEquals(counts, [1, 1, 2]);
});

Deno.test("placeBid() keeps every placement and raise as an event", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  await placeBid(world.services, bidBy(ada, { amountCents: 2_000 }));
  const { id } = await bidOf(world, ada);
  const events = await world.services.store.listBidEvents(id, { limit: 9 });
  assertEquals(events.map(eventText), ["placed 1000", "raised 2000"]);
});

Deno.test("placeBid() charges the named card of a new bid", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await saveCard(world, ada, "pm_second");
  await placeBid(world.services, bidBy(ada, { paymentMethodId: "pm_second" }));
  assertEquals((await bidOf(world, ada)).paymentMethodId, "pm_second");
});

Deno.test("placeBid() binds a raised bid to the default card", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await saveCard(world, ada, "pm_second");
  await placeBid(world.services, bidBy(ada, { paymentMethodId: "pm_second" }));
  await placeBid(world.services, bidBy(ada, { amountCents: 1_500 }));
  assertEquals((await bidOf(world, ada)).paymentMethodId, "pm_ada");
});

Deno.test("placeBid() lets a raise name another approved creative", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await world.services.store.transact(async (tx) => {
    const creative = await tx.creatives.find("acc_ada", "ad_ada");
    assert(creative);
    tx.creatives.save({ ...creative, adId: "ad_other" });
  });
  await placeBid(world.services, bidBy(ada));
  await placeBid(
    world.services,
    bidBy(ada, { amountCents: 1_100, adId: "ad_other" }),
  );
  assertEquals((await bidOf(world, ada)).adId, "ad_other");
});

Deno.test("placeBid() accepts a bid one millisecond before closesAt", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  world.clock.set(BID_DAY_CLOSES_MS - 1);
  await placeBid(world.services, bidBy(ada));
  assertEquals((await bidOf(world, ada)).placedAtMs, BID_DAY_CLOSES_MS - 1);
});

Deno.test("placeBid() takes a bid in the browser without a mandate", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", { mandate: { maxBidCents: 100 } });
  const browser = await inBrowser(world, ada);
  const bid = bidBy(ada, { ...browser, amountCents: 50_000_000 });
  const { answer } = await placeBid(world.services, bid);
  assertEquals(JSON.parse(answer.body).bidCount, 1);
  assertEquals((await bidOf(world, ada)).grantId, null);
  assertEquals(await usedBy(world, ada), 0);
});

Deno.test("placeBid() lets an agent raise what was bid in the browser", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada, await inBrowser(world, ada)));
  await placeBid(world.services, bidBy(ada, { amountCents: 1_250 }));
  assertEquals((await bidOf(world, ada)).grantId, ada.grant.id);
  assertEquals(await usedBy(world, ada), 250);
});

Deno.test("placeBid() books a new bid whole and a raise by its increase", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada, { amountCents: 700 }));
  assertEquals(await usedBy(world, ada), 700);
  await placeBid(world.services, bidBy(ada, { amountCents: 900 }));
  assertEquals(await usedBy(world, ada), 900);
});

Deno.test("placeBid() books on the day of placing, not of the auction", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", { mandate: { dailyCapCents: 1_000 } });
  const tomorrow = dayOf(world.clock.now() + DAY_MS);
  await world.open(tomorrow);
  const early = { day: tomorrow, amountCents: 400, key: "early" };
  await placeBid(world.services, bidBy(ada, { amountCents: 600 }));
  await placeBid(world.services, bidBy(ada, early));
  assertEquals(await usedBy(world, ada), 1_000);
  world.clock.advance(DAY_MS);
  assertEquals(await usedBy(world, ada), 0);
  const raise = { day: tomorrow, amountCents: 1_400, key: "raise" };
  await placeBid(world.services, bidBy(ada, raise));
  assertEquals(await usedBy(world, ada), 1_000);
});

Deno.test("placeBid() keeps the use of a day until the next one is over", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  // An isolate whose clock is behind still counts on the day that is over.
  const use = await world.services.store.mandateUses.find(
    ada.grant.id,
    BID_DAY,
  );
  assertEquals(use?.expiresAtMs, Date.parse("2026-11-22T00:00:00.000Z"));
});

Deno.test("placeBid() books at midnight on the day that has begun", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const tomorrow = dayOf(world.clock.now() + DAY_MS);
  await world.open(tomorrow);
  world.clock.set("2026-11-20T23:59:59.999Z");
  world.testStore.kv.inject({
    on: "read",
    fault: {
      kind: "hold",
      until: Promise.resolve().then(() => world.clock.advance(1)),
    },
  });
  const reads = world.testStore.kv.readCount;
  await placeBid(world.services, bidBy(ada, { day: tomorrow }));
  // The use of the day that ended meanwhile was read first.
  assertEquals(world.testStore.kv.readCount - reads, 2);
  assertEquals(dayOf(world.clock.now()), tomorrow);
  assertEquals(await usedBy(world, ada), 1_000);
  assertEquals(
    (await world.services.store.bids.find(tomorrow, "acc_ada"))?.placedAtMs,
    world.clock.now(),
  );
});

Deno.test("placeBid() gives each grant its own daily cap", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada", { mandate: { dailyCapCents: 1_000 } });
  const again = await world.agent("ada", { mandate: { dailyCapCents: 1_000 } });
  await placeBid(world.services, bidBy(ada));
  await placeBid(world.services, bidBy(again, { amountCents: 2_000 }));
  assertNotEquals(ada.grant.id, again.grant.id);
  assertEquals(await usedBy(world, ada), 1_000);
  assertEquals(await usedBy(world, again), 1_000);
});

Deno.test("placeBid() says nothing of anyone else in its answer", async () => {
  await using world = await openBiddingWorld();
  const [ada, bob] = [await world.agent("ada"), await world.agent("bob")];
  await placeBid(world.services, bidBy(bob, { amountCents: 77_777 }));
  const theirs = await bidOf(world, bob);
  const { answer } = await placeBid(world.services, bidBy(ada));
  for (const secret of ["77777", theirs.id, "acc_bob", "ad_bob"]) {
    assert(!answer.body.includes(secret), `the answer says ${secret}`);
  }
});

async function bidOf(world: BiddingWorld, agent: Agent): Promise<Bid> {
  const bid = await world.services.store.bids.find(BID_DAY, agent.account.id);
  assert(bid);
  return bid;
}

async function usedBy(world: BiddingWorld, agent: Agent): Promise<number> {
  const today = dayOf(world.clock.now());
  const { mandateUses } = world.services.store;
  return (await mandateUses.find(agent.grant.id, today))?.usedCents ?? 0;
}

async function saveCard(
  world: BiddingWorld,
  agent: Agent,
  id: string,
): Promise<void> {
  await world.services.store.transact(async (tx) => {
    const card = await tx.paymentMethods.find(agent.account.id, agent.cardId);
    assert(card);
    tx.paymentMethods.save({ ...card, id });
  });
}

function eventText({ kind, amountCents }: BidEvent): string {
  return `${kind} ${amountCents}`;
}
