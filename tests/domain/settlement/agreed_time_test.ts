/** Days end by a time that the processor's clock agrees with, or has. */
import { assertEquals, assertRejects } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import {
  addDays,
  type Day,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
} from "../../../domain/day.ts";
import type { Services } from "../../../domain/ports.ts";
import { Refused } from "../../../domain/refusal.ts";
import { advanceAuctions } from "../../../domain/settlement/advance_auctions.ts";
import { agreedTime } from "../../../domain/settlement/agreed_time.ts";
import { closeAuction } from "../../../domain/settlement/close_auction.ts";
import { settleDay } from "../../../domain/settlement/settle_day.ts";
import type { ToldTime } from "../../../domain/settlement/told_time.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";

const day = AUCTION_DAY;
const next = addDays(day, 1);

/** The services of a machine whose clock the processor's is compared with. */
function machine(
  world: AuctionWorld,
  told: () => number | null,
  aheadMs = 0,
): Services {
  const { services, clock } = world;
  return {
    ...services,
    clock: { ...services.clock, now: () => clock.now() + aheadMs },
    processor: {
      ...services.processor,
      retrieveClock: () => Promise.resolve(told()),
    },
  };
}

const silent = () => null;

async function phaseOf({ services }: AuctionWorld, of: Day = day) {
  return (await services.store.auctions.find(of))?.phase ?? "IDLE";
}

function chargedCents({ simulator }: AuctionWorld): number[] {
  return simulator.control.objects("charge").map(({ amount }) => amount);
}

async function oneBidder(): Promise<AuctionWorld> {
  const world = await openAuctionWorld();
  await advanceAuctions(world.services);
  await world.bid(await world.advertiser("ada"), 500);
  return world;
}

for (const aheadMs of [HOUR_MS, 3 * DAY_MS]) {
  Deno.test(`a clock known to be ${aheadMs / HOUR_MS} hours ahead closes and settles nothing when one answer is lost`, async () => {
    await using world = await oneBidder();
    world.clock.set(`${day}T22:58:00.000Z`);
    await advanceAuctions(machine(world, () => world.clock.now(), aheadMs));
    world.clock.advance(MINUTE_MS);
    await advanceAuctions(machine(world, silent, aheadMs));
    assertEquals([await phaseOf(world), await phaseOf(world, next)], [
      "OPEN",
      "IDLE",
    ]);
    assertEquals(chargedCents(world), []);
    world.clock.set(`${day}T23:55:00.000Z`);
    await advanceAuctions(machine(world, silent, aheadMs));
    assertEquals(await phaseOf(world), "CLOSED");
    await settleDay(world.services, { day, force: true });
    assertEquals(chargedCents(world), [500]);
  });
}

Deno.test("a process whose clock is right tells nothing of another's that is ahead", async () => {
  await using world = await oneBidder();
  world.clock.set(`${day}T22:57:00.000Z`);
  const told = () => world.clock.now();
  await advanceAuctions(machine(world, told, HOUR_MS));
  world.clock.advance(MINUTE_MS);
  const nowMs = world.clock.now();
  const right = await agreedTime(machine(world, told));
  assertEquals(right, { nowMs, endsMs: nowMs });
  await advanceAuctions(machine(world, silent, HOUR_MS));
  assertEquals(await phaseOf(world), "OPEN");
});

Deno.test("a lead counts for a day after it was last told, and the greater one counts", async () => {
  await using world = await oneBidder();
  world.clock.set(`${day}T10:00:00.000Z`);
  const told = () => world.clock.now();
  const lead = async (aheadMs: number) => {
    await agreedTime(machine(world, told, aheadMs));
    const known = await world.services.store.toldTimes.find();
    return known?.leadMs;
  };
  assertEquals(await lead(5 * MINUTE_MS), 0);
  assertEquals(await lead(5 * MINUTE_MS + 1), 5 * MINUTE_MS + 1);
  assertEquals(await lead(2 * HOUR_MS), 2 * HOUR_MS);
  assertEquals(await lead(HOUR_MS), 2 * HOUR_MS);
  assertEquals(await lead(3 * HOUR_MS), 3 * HOUR_MS);
  world.clock.advance(DAY_MS - 1);
  assertEquals(await lead(0), 3 * HOUR_MS);
  world.clock.advance(1);
  assertEquals(await lead(0), 0);
  assertEquals(await lead(2 * HOUR_MS), 2 * HOUR_MS);
  world.clock.advance(10 * HOUR_MS);
  assertEquals(await lead(2 * HOUR_MS), 2 * HOUR_MS);
  world.clock.advance(DAY_MS - 1);
  assertEquals(await lead(0), 2 * HOUR_MS, "it was told again");
});

Deno.test("the log says by how many seconds a clock is ahead", async () => {
  await using world = await oneBidder();
  await agreedTime(machine(world, () => world.clock.now(), HOUR_MS));
  assertEquals(JSON.parse(world.log.lines.at(-1) ?? ""), {
    event: "auction.clock_ahead",
    ahead_s: 3_600,
  });
});

Deno.test("the log says by how many seconds a clock is behind, from more than five minutes on", async () => {
  await using world = await oneBidder();
  const told = () => world.clock.now();
  const before = world.log.lines.length;
  await agreedTime(machine(world, told, -5 * MINUTE_MS));
  assertEquals(world.log.lines.length, before);
  await agreedTime(machine(world, told, -HOUR_MS));
  assertEquals(JSON.parse(world.log.lines.at(-1) ?? ""), {
    event: "auction.clock_behind",
    behind_s: 3_600,
  });
});

Deno.test("agreedTime() ends nothing by our clock while the processor never told any", async () => {
  await using world = await openAuctionWorld();
  const nowMs = world.clock.now();
  const time = await agreedTime(machine(world, silent));
  assertEquals(time, { nowMs, endsMs: 0 });
});

Deno.test("what the processor told is kept once a day while no clock is ahead, and never goes back", async () => {
  await using world = await oneBidder();
  const { store } = world.services;
  const kept = async (told: string): Promise<ToldTime | null> => {
    await agreedTime(machine(world, () => Date.parse(told), -DAY_MS));
    return await store.toldTimes.find();
  };
  const first = await store.toldTimes.find();
  assertEquals(await kept(`${day}T12:00:00.000Z`), first);
  const later = await kept(`${next}T01:00:00.000Z`);
  assertEquals(later?.toldMs, Date.parse(`${next}T01:00:00.000Z`));
  assertEquals(await kept(`${day}T23:00:00.000Z`), later);
});

Deno.test("a silent processor keeps no day that has begun from closing on time, nor the next from opening", async () => {
  await using world = await oneBidder();
  world.clock.set(`${day}T23:55:00.000Z`);
  await advanceAuctions(machine(world, silent));
  assertEquals(await phaseOf(world), "CLOSED");
  assertEquals(world.log.events.includes("auction.clock_untold"), false);
  world.clock.set(`${next}T00:00:00.000Z`);
  await advanceAuctions(machine(world, silent));
  assertEquals(await phaseOf(world, next), "OPEN");
});

Deno.test("a day that has begun since the processor answered last is closed and settled once it answers", async () => {
  await using world = await oneBidder();
  world.clock.set(`${next}T23:56:00.000Z`);
  await advanceAuctions(machine(world, silent));
  assertEquals([await phaseOf(world), await phaseOf(world, next)], [
    "CLOSED",
    "OPEN",
  ]);
  assertEquals(world.log.events.includes("auction.clock_untold"), true);
  await advanceAuctions(world.services);
  const auction = await world.services.store.auctions.find(next);
  assertEquals(auction?.settledAtMs, world.clock.now());
});

Deno.test("a store that was never told the time opens its first day, and ends it once it is told", async () => {
  await using world = await openAuctionWorld();
  await advanceAuctions(machine(world, silent));
  world.clock.set(`${day}T23:55:00.000Z`);
  await advanceAuctions(machine(world, silent));
  assertEquals(await phaseOf(world), "OPEN");
  await advanceAuctions(world.services);
  assertEquals(await phaseOf(world), "CLOSED");
});

/** A day that was closed on time, and whose payment was not answered. */
async function unpaidDay(): Promise<AuctionWorld> {
  const world = await oneBidder();
  world.clock.set(`${day}T23:55:00.000Z`);
  const fault = world.simulator.control.addFault({
    kind: "reset_before_effect",
    method: "POST",
    path: "/v1/invoices/*/pay",
  });
  await advanceAuctions(world.services);
  world.simulator.control.removeFault(fault);
  assertEquals(chargedCents(world), []);
  return world;
}

Deno.test("a clock that jumps ahead takes no day from its winner when one answer is lost", async () => {
  await using world = await unpaidDay();
  const settle = (told: () => number | null) =>
    settleDay(machine(world, told, 2 * DAY_MS), { day, force: true });
  const [waiting] = (await settle(silent)).candidates;
  assertEquals([waiting?.step, chargedCents(world)], ["paying", []]);
  const [won] = (await settle(() => world.clock.now())).candidates;
  assertEquals([won?.step, chargedCents(world)], ["won", [500]]);
});

Deno.test("a lost answer sells no day that is over: whether it is has to be told", async () => {
  await using world = await unpaidDay();
  await openAuction(world.services, { day: next });
  world.clock.set(`${next}T23:55:00.000Z`);
  const settle = (told: () => number | null) =>
    settleDay(machine(world, told), { day, force: true });
  const [waiting] = (await settle(silent)).candidates;
  assertEquals([waiting?.step, chargedCents(world)], ["paying", []]);
  const [over] = (await settle(() => world.clock.now())).candidates;
  assertEquals([over?.passedOverAs, chargedCents(world)], ["void", []]);
});

Deno.test("a draft is neither made nor given up for a day of which only our clock says that it is over", async () => {
  await using world = await oneBidder();
  world.clock.set(`${day}T23:55:00.000Z`);
  await closeAuction(world.services, { day });
  const settle = (told: () => number | null) =>
    settleDay(machine(world, told, 2 * DAY_MS), { day, force: true });
  const [waiting] = (await settle(silent)).candidates;
  assertEquals(waiting?.step, "creating");
  assertEquals(world.simulator.control.objects("invoice"), []);
  const [won] = (await settle(() => world.clock.now())).candidates;
  assertEquals(won?.step, "won");
});

async function refusalOf(work: Promise<unknown>) {
  return (await assertRejects(() => work, Refused)).refusal;
}

Deno.test("an operator's order to settle ends no auction by a clock of ours that is ahead", async () => {
  await using world = await oneBidder();
  world.clock.set(`${day}T10:00:00.000Z`);
  const told = machine(world, () => world.clock.now(), 14 * HOUR_MS);
  assertEquals(await refusalOf(settleDay(told, { day, force: true })), {
    code: "auction_not_closed",
    day,
    phase: "OPEN",
    by: "processor",
  });
  assertEquals([await phaseOf(world), chargedCents(world)], ["OPEN", []]);
});

Deno.test("an operator neither closes nor settles a day that has begun by a clock of ours alone", async () => {
  await using world = await oneBidder();
  await openAuction(world.services, { day: next });
  world.clock.set(`${day}T23:00:00.000Z`);
  for (const told of [() => world.clock.now(), silent]) {
    const services = machine(world, told, DAY_MS);
    const notBegun = {
      code: "day_not_begun",
      day: next,
      by: "processor",
    } as const;
    assertEquals(await refusalOf(closeAuction(services, { day: next })), {
      ...notBegun,
      action: "close",
    });
    assertEquals(
      await refusalOf(settleDay(services, { day: next, force: true })),
      { ...notBegun, action: "settle" },
    );
  }
  assertEquals(await phaseOf(world, next), "OPEN");
});

Deno.test("an operator closes a day that the processor once said has begun, while it is silent", async () => {
  await using world = await oneBidder();
  await closeAuction(machine(world, silent), { day });
  assertEquals(await phaseOf(world), "CLOSED");
});
