import { assert, assertEquals } from "@std/assert";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { ARCHIVING_MS } from "../../../domain/creatives/creative.ts";
import {
  approveCreative,
  withdrawApproval,
} from "../../../domain/creatives/review_creative.ts";
import {
  type Agent,
  BID_DAY,
  bidBy,
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { MISHAPS } from "../../support/faults.ts";
import { assertRefused, refusalOf } from "../../support/refused.ts";
import {
  DECEPTIVE,
  DESK,
  notesOf,
  stored,
  submitted,
  verbsOf,
} from "./creative_world.ts";

async function stateOf(world: BiddingWorld, agent: Agent, adId: string) {
  return (await stored(world, agent, adId)).state;
}

Deno.test("archiveCreative() archives for good, and a repeat answers what stands", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const { archive } = verbsOf(world.services, ada);
  const first = await archive(ada.adId, "k");
  const again = await archive(ada.adId, "k");
  assertEquals([first.replayed, again.replayed], [false, true]);
  assertEquals(again.answer, first.answer);
  await archive(ada.adId);
  const events = (await notesOf(world, ada.adId)).map(({ event }) => event);
  assertEquals(events, ["archived"]);
  await assertRefused(
    () => placeBid(world.services, bidBy(ada)),
    "human_step_required",
  );
});

Deno.test("archiveCreative() is no way to withdraw a bid", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const { archive } = verbsOf(world.services, ada);
  await placeBid(world.services, bidBy(ada));
  const { why } = await assertRefused(
    () => archive(ada.adId, "k"),
    "creative_refused",
  );
  assertEquals(why, { kind: "live_bid", adId: ada.adId, days: [BID_DAY] });
  const found = await stored(world, ada, ada.adId);
  assertEquals([found.state, found.archiving], ["approved", undefined]);
  // Nothing is left in the way of a raise.
  await placeBid(world.services, bidBy(ada, { amountCents: 1_500 }));
});

Deno.test("archiveCreative() lets a creative go that a raise has left", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const { services } = world;
  await placeBid(services, bidBy(ada));
  const adId = await submitted(services, ada);
  await approveCreative(services, { adId, by: DESK });
  await placeBid(services, bidBy(ada, { amountCents: 1_500, adId }));
  await verbsOf(services, ada).archive(ada.adId);
  assertEquals(await stateOf(world, ada, ada.adId), "archived");
});

Deno.test("a bid and archiving at once never leave a bid on an archived creative", async () => {
  let archived = 0;
  let bids = 0;
  for (let round = 0; round < 12; round++) {
    await using world = await openBiddingWorld();
    const ada = await world.agent("ada");
    const other = world.over(world.testStore.another().store);
    const bid = () => refusalOf(() => placeBid(world.services, bidBy(ada)));
    const put = () => refusalOf(() => verbsOf(other, ada).archive(ada.adId));
    // The bid begins a little later each round.
    const turns = async () => {
      for (let at = 0; at < round; at++) await Promise.resolve();
      return await bid();
    };
    const [refusal] = await Promise.all([put(), turns()]);
    const stands = await world.services.store.bids.find(BID_DAY, "acc_ada");
    const isArchived = await stateOf(world, ada, ada.adId) === "archived";
    assertEquals(isArchived, stands === null);
    assertEquals(refusal === null, isArchived);
    isArchived ? archived++ : bids++;
  }
  assertEquals(archived + bids, 12);
});

/**
 * Archives through a process whose n-th commit waits until `meanwhile` is done,
 * which begins once that commit is asked for. Answers the refusal, if any.
 */
async function archiveAround(
  world: BiddingWorld,
  ada: Agent,
  nth: number,
  meanwhile: () => Promise<unknown>,
) {
  const slow = world.testStore.another();
  const done = Promise.withResolvers<void>();
  const fault = { kind: "hold", until: done.promise } as const;
  slow.kv.inject({ on: "commit", nth, fault });
  const { archive } = verbsOf(world.over(slow.store), ada);
  const archiving = refusalOf(() => archive(ada.adId));
  while (slow.kv.commits.length < nth) await stored(world, ada, ada.adId);
  try {
    await meanwhile();
  } finally {
    done.resolve();
  }
  return await archiving;
}

Deno.test("a bid that lands before archiving has closed the creative keeps it", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const refusal = await archiveAround(
    world,
    ada,
    1,
    () => placeBid(world.services, bidBy(ada)),
  );
  assertEquals(refusal?.code, "creative_refused");
  const found = await stored(world, ada, ada.adId);
  assertEquals([found.state, found.archiving], ["approved", undefined]);
  await placeBid(world.services, bidBy(ada, { amountCents: 1_500 }));
});

Deno.test("no bid lands once archiving has closed the creative", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const refusal = await archiveAround(world, ada, 2, async () => {
    const bid = await assertRefused(
      () => placeBid(world.services, bidBy(ada)),
      "human_step_required",
    );
    assertEquals(bid.reasons, ["creative_not_approved"]);
  });
  assertEquals(refusal, null);
  assertEquals(await stateOf(world, ada, ada.adId), "archived");
});

Deno.test("archiving that was overtaken looks at the bids again", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const refusal = await archiveAround(world, ada, 2, async () => {
    // The creative is free again, as if this process had slept.
    world.clock.advance(ARCHIVING_MS);
    await placeBid(world.services, bidBy(ada));
    await refusalOf(() => verbsOf(world.services, ada).archive(ada.adId));
  });
  assertEquals(refusal?.code, "creative_refused");
  assertEquals(await stateOf(world, ada, ada.adId), "approved");
});

Deno.test("archiveCreative() refuses a bid's creative without closing it first", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  await placeBid(world.services, bidBy(ada));
  const before = world.testStore.kv.commits.length;
  const { archive } = verbsOf(world.services, ada);
  await assertRefused(() => archive(ada.adId), "creative_refused");
  assertEquals(world.testStore.kv.commits.length, before);
});

Deno.test("archiveCreative() ends alike wherever the process dies, and a creative left alone is free again", async () => {
  for (const commit of [1, 2]) {
    for (const when of MISHAPS) {
      await using world = await openBiddingWorld();
      const ada = await world.agent("ada");
      const dying = world.testStore.another();
      dying.kv.crashAt({ commit, when });
      const there = verbsOf(world.over(dying.store), ada);
      await there.archive(ada.adId, "k").catch(() => null);
      assert(dying.kv.wentWrong || when === "resent");
      const ended = when === "resent" || commit === 2 && when === "after";
      if (!ended) {
        world.clock.advance(ARCHIVING_MS);
        const bid = await refusalOf(() => placeBid(world.services, bidBy(ada)));
        assertEquals(bid, null, "no bid is kept out for longer");
        continue;
      }
      const again = await verbsOf(world.services, ada).archive(ada.adId, "k");
      assertEquals(again.replayed, true);
    }
  }
});

Deno.test("archiveCreative() goes on at once after a crash", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const dying = world.testStore.another();
  dying.kv.crashAt({ commit: 1, when: "after" });
  const there = verbsOf(world.over(dying.store), ada);
  await there.archive(ada.adId, "k").catch(() => null);
  await verbsOf(world.services, ada).archive(ada.adId, "k");
  assertEquals(await stateOf(world, ada, ada.adId), "archived");
});

Deno.test("approve and archive at once end in archived, or archived after approved", async () => {
  for (let round = 0; round < 6; round++) {
    await using world = await openBiddingWorld();
    const ada = await world.agent("ada");
    const adId = await submitted(world.services, ada);
    const other = world.over(world.testStore.another().store);
    const [approval, archiving] = await Promise.all([
      refusalOf(() => approveCreative(other, { adId, by: DESK })),
      refusalOf(() => verbsOf(world.services, ada).archive(adId)),
    ]);
    assertEquals(archiving, null);
    assertEquals(await stateOf(world, ada, adId), "archived");
    const events = (await notesOf(world, adId)).map(({ event }) => event);
    const approved = approval === null ? ["approved"] : [];
    assertEquals(events, ["created", "submitted", ...approved, "archived"]);
  }
});

Deno.test("archiveCreative() archives what the desk turned down meanwhile", async () => {
  await using world = await openBiddingWorld();
  const ada = await world.agent("ada");
  const { services } = world;
  await placeBid(services, bidBy(ada));
  await withdrawApproval(services, {
    adId: ada.adId,
    by: DESK,
    typed: DECEPTIVE,
  });
  await verbsOf(services, ada).archive(ada.adId);
  const { state, rejection } = await stored(world, ada, ada.adId);
  assertEquals([state, rejection?.policyId], ["archived", "deceptive"]);
});
