import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import type { PlaceBid } from "../../../domain/bidding/bid_state.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { addDays, type Day, DAY_MS, dayOf } from "../../../domain/day.ts";
import { TemporaryFailure } from "../../../domain/failure.ts";
import { Refused } from "../../../domain/refusal.ts";
import {
  type Fault,
  NETWORK_FAULTS,
  type NetworkFault,
} from "../../support/faults.ts";
import {
  type Agent,
  BID_DAY,
  BID_DAY_CLOSES_MS,
  bidBy,
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { BidModel, type ModelVerdict } from "./bid_model.ts";

const DAYS = [BID_DAY, addDays(BID_DAY, 1)] as const;
const TERMS = { maxBidCents: 130, dailyCapCents: 200 };

type Step =
  | {
    do: "bid";
    who: number;
    day: number;
    amountCents: number;
    key: number;
    fault: "none" | "conflict" | "fail_before" | "fail_after" | NetworkFault;
  }
  | { do: "wait"; ms: number }
  | { do: "close"; day: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("bid" as const),
      who: fc.integer({ min: 0, max: 3 }),
      day: fc.integer({ min: 0, max: 1 }),
      amountCents: fc.integer({ min: 100, max: 135 }),
      key: fc.integer({ min: 0, max: 9 }),
      fault: fc.constantFrom(
        "none" as const,
        "none" as const,
        "conflict" as const,
        "fail_before" as const,
        "fail_after" as const,
        ...NETWORK_FAULTS,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.oneof(
        fc.integer({ min: 0, max: 60_000 }),
        fc.integer({ min: 0, max: 8 * 3_600_000 }),
        // To the very moment at which the first auction closes, or before it.
        fc.constantFrom(-1, -2),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("close" as const),
      day: fc.integer({ min: 0, max: 1 }),
    }),
  },
);

Deno.test("placeBid() does what the model says, whatever happens", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      await using world = await openBiddingWorld();
      await world.open(DAYS[1]);
      const agents = await fourAgents(world);
      const model = modelOf(agents);
      const answers = new Map<string, string>();
      for (const each of steps) {
        if (each.do === "wait") wait(world, each.ms);
        else if (each.do === "close") await close(world, model, DAYS[each.day]);
        else await bidAsModelled(world, agents, model, answers, each);
        await assertSame(world, agents, model);
      }
    }),
    { numRuns: 60 },
  );
});

function fourAgents(world: BiddingWorld): Promise<Agent[]> {
  const late = world.clock.now() + 20 * DAY_MS;
  const soon = world.clock.now() + 13 * 3_600_000;
  const mandate = { ...TERMS, validUntilMs: late };
  return Promise.all([
    world.agent("ada", { mandate }),
    // A second agent of the same advertiser, whose mandate ends first.
    world.agent("ada", { mandate: { ...TERMS, validUntilMs: soon } }),
    world.agent("bob", { mandate }),
    world.agent("eve", { mandate }),
  ]);
}

function modelOf(agents: readonly Agent[]): BidModel {
  const terms = new Map(agents.map(({ grant }) => {
    assert(grant.mandate);
    return [grant.id, grant.mandate];
  }));
  const closes = DAYS.map((day, later) =>
    [day, BID_DAY_CLOSES_MS + later * DAY_MS] as const
  );
  return new BidModel(terms, new Map(closes));
}

function wait({ clock }: BiddingWorld, ms: number): void {
  if (ms >= 0) clock.advance(ms);
  else clock.set(Math.max(clock.now(), BID_DAY_CLOSES_MS + ms + 1));
}

async function close(
  world: BiddingWorld,
  model: BidModel,
  day: Day | undefined,
): Promise<void> {
  assert(day);
  const closing = closeAuction(world.services, { day });
  if (world.clock.now() < Date.parse(day)) {
    // It has not begun: it goes on taking bids.
    const { refusal } = await assertRejects(() => closing, Refused);
    assertEquals(refusal.code, "day_not_begun");
    return;
  }
  model.close(day);
  await closing;
}

async function bidAsModelled(
  world: BiddingWorld,
  agents: readonly Agent[],
  model: BidModel,
  answers: Map<string, string>,
  step: Extract<Step, { do: "bid" }>,
): Promise<void> {
  const agent = agents[step.who];
  const day = DAYS[step.day];
  assert(agent && day);
  const { amountCents } = step;
  const key = `k${step.key}`;
  const bid = bidBy(agent, { day, amountCents, key });
  const expected = model.place({
    grant: agent.grant.id,
    account: agent.account.id,
    day,
    key,
    amountCents,
  }, world.clock.now());
  // A fault waits for a commit, so one is planned only where there will be one.
  const { fault } = step;
  const planned = expected === "accepted" && fault !== "none" ? fault : null;
  if (planned !== null) plan(world, planned);
  const { verdict, body } = await bidAndRepeat(world, bid);
  const { kv } = world.testStore;
  await kv.arrive();
  // The answer to a commit that had applied is lost, and found by the repeat;
  // over a network at once.
  const isLost = planned === "fail_after" && !kv.isNetworked;
  assertEquals(verdict, isLost ? "replayed" : expected);
  const name = `${agent.grant.id} ${key}`;
  if (expected === "accepted") answers.set(name, body);
  if (expected === "replayed") assertEquals(body, answers.get(name));
}

function plan(world: BiddingWorld, kind: Fault["kind"]): void {
  world.testStore.kv.inject({ on: "commit", fault: { kind } as Fault });
}

/** Bids as a careful client does: after a 503 it asks again. */
async function bidAndRepeat(
  world: BiddingWorld,
  bid: PlaceBid,
): Promise<{ verdict: ModelVerdict; body: string }> {
  try {
    const { answer, replayed } = await placeBid(world.services, bid);
    return { verdict: replayed ? "replayed" : "accepted", body: answer.body };
  } catch (thrown) {
    if (thrown instanceof TemporaryFailure) return bidAndRepeat(world, bid);
    if (!(thrown instanceof Refused)) throw thrown;
    return { verdict: thrown.refusal.code, body: "" };
  }
}

async function assertSame(
  world: BiddingWorld,
  agents: readonly Agent[],
  model: BidModel,
): Promise<void> {
  const { store } = world.services;
  for (const day of DAYS) {
    const bids = await store.listBids(day, { limit: 9 });
    const stored = bids.map((b) => [b.accountId, b.amountCents] as const);
    const modelled = [...model.live].flatMap(([place, amountCents]) => {
      const [on, account] = place.split(" ");
      return on === day ? [[account, amountCents] as const] : [];
    });
    assertEquals(new Map(stored), new Map(modelled as typeof stored));
    assertEquals(bids.length, modelled.length);
    const [count] = await store.getMany([store.bidCounts.ref(day)]);
    assertEquals(count, modelled.length);
    for (const { placedAtMs } of bids) {
      assert(placedAtMs < BID_DAY_CLOSES_MS + DAYS.indexOf(day) * DAY_MS);
    }
  }
  const today = dayOf(world.clock.now());
  for (const { grant } of agents) {
    const use = await store.mandateUses.find(grant.id, today);
    const usedCents = use?.usedCents ?? 0;
    assertEquals(usedCents, model.used.get(`${grant.id} ${today}`) ?? 0);
    assert(usedCents <= TERMS.dailyCapCents, "the daily cap was passed");
  }
}
