import { assertEquals } from "@std/assert";
import { advanceAuctions } from "../../../domain/settlement/advance_auctions.ts";
import { readAuctionState } from "../../../domain/auction/auction_state.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { addDays, type Day, DAY_MS, dayOf } from "../../../domain/day.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import type { Services } from "../../../domain/ports.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";

const day = AUCTION_DAY;

Deno.test("advanceAuctions() opens today's auction on the first start", async () => {
  await using world = await openAuctionWorld();
  await advanceAuctions(world.services);
  const auction = await world.services.store.auctions.find(day);
  assertEquals(auction?.phase, "OPEN");
  assertEquals(auction?.closesAtMs, Date.parse(`${day}T23:55:00.000Z`));
  assertEquals(await world.services.store.calendar.find(), {
    launchDay: day,
    settledThroughDay: null,
  });
});

Deno.test("advanceAuctions() opens nothing before the opening hour", async () => {
  await using world = await openAuctionWorld();
  const late: Services = {
    ...world.services,
    settings: {
      ...world.services.settings,
      auctionHours: { opensAtMinute: 9 * 60, closesAtMinute: 10 * 60 },
    },
  };
  await advanceAuctions(late);
  assertEquals(await world.services.store.auctions.find(day), null);
});

Deno.test("advanceAuctions() closes at closesAt and settles", async () => {
  await using world = await openAuctionWorld();
  await advanceAuctions(world.services);
  await world.bid(await world.advertiser("ada"), 500);
  world.clock.set(`${day}T23:54:59.999Z`);
  await advanceAuctions(world.services);
  assertEquals((await world.services.store.auctions.find(day))?.phase, "OPEN");
  world.clock.set(`${day}T23:55:00.000Z`);
  await advanceAuctions(world.services);
  const spotlight = await world.services.store.spotlights.find(day);
  assertEquals(spotlight?.accountId, "acc_ada");
  const calendar = await world.services.store.calendar.find();
  assertEquals(calendar?.settledThroughDay, day, "before the day is over");
});

Deno.test("advanceAuctions() works through every day of an outage", async () => {
  await using world = await openAuctionWorld();
  await advanceAuctions(world.services);
  const ada = await world.advertiser("ada");
  await world.bid(ada, 500);
  // Of the days of the outage the last alone can still be shown.
  await openAuction(world.services, { day: addDays(day, 4) });
  await world.bid(ada, 500, addDays(day, 4));
  const back = addDays(day, 5);
  world.clock.set(`${back}T10:00:00.000Z`);
  assertEquals(await advanceAuctions(world.services), {
    failedDays: [],
    isLate: false,
  });
  const { store } = world.services;
  const days = await store.listSpotlights(null, { limit: 100 });
  assertEquals(
    days.map(({ day, contentType }) => [day, contentType]),
    [
      ...[0, 1, 2, 3].map((
        n,
      ): [Day, string] => [addDays(day, n), "house_advertisement"]),
      [addDays(day, 4), "paid_advertisement"],
    ],
  );
  for (const [n, openedAt] of [[0, true], [1, false], [5, true]] as const) {
    const state = await readAuctionState(world.services, addDays(day, n));
    assertEquals(state.openedAt !== null, openedAt, `day ${n}`);
  }
  assertEquals((await store.auctions.find(back))?.phase, "OPEN");
  assertEquals(await store.calendar.find(), {
    launchDay: day,
    settledThroughDay: addDays(day, 4),
  });
});

Deno.test("advanceAuctions() in several isolates at once equals one", async () => {
  await using world = await openAuctionWorld();
  await advanceAuctions(world.services);
  const next = addDays(day, 1);
  await openAuction(world.services, { day: next });
  await world.bid(await world.advertiser("ada"), 500, next);
  world.clock.set(`${addDays(day, 2)}T10:00:00.000Z`);
  const isolates = [1, 2, 3].map(() => world.another().services);
  await Promise.all(isolates.map(advanceAuctions));
  await advanceAuctions(world.services);
  const { store } = world.services;
  assertEquals((await store.listSpotlights(null, { limit: 9 })).length, 2);
  assertEquals((await store.listLedger({ limit: 9 })).length, 1);
  const charges = await world.stripe.charges.list();
  assertEquals(charges.data.length, 1);
});

Deno.test("advanceAuctions() goes on with other days when one is stuck", async () => {
  await using world = await openAuctionWorld();
  await advanceAuctions(world.services);
  await world.bid(await world.advertiser("ada"), 500);
  world.simulator.control.addFault({ kind: "processing", times: 1 });
  world.clock.set(`${day}T23:55:00.000Z`);
  await advanceAuctions(world.services);
  world.clock.set(`${addDays(day, 2)}T10:00:00.000Z`);
  const { isLate } = await advanceAuctions(world.services);
  assertEquals(isLate, true, "one of two is");
  const { store } = world.services;
  assertEquals(await store.spotlights.find(day), null);
  const missed = await store.spotlights.find(addDays(day, 1));
  assertEquals(missed?.contentType, "house_advertisement");
  assertEquals((await store.calendar.find())?.settledThroughDay, null);
});

Deno.test("advanceAuctions() answers and logs the day whose work threw, and goes on with the others", async () => {
  await using world = await openAuctionWorld();
  await advanceAuctions(world.services);
  await world.bid(await world.advertiser("ada"), 500);
  const { services } = world.another((real) => ({
    ...real,
    createInvoice: () => Promise.reject(new RangeError("a bug")),
  }));
  world.clock.set(`${addDays(day, 1)}T00:00:00.000Z`);
  assertEquals(await advanceAuctions(services), {
    failedDays: [day],
    isLate: false,
  });
  const opened = await services.store.auctions.find(addDays(day, 1));
  assertEquals(opened?.phase, "OPEN");
  const said = world.log.lines.map((line) => JSON.parse(line));
  assertEquals(said.filter(({ event }) => event.endsWith("_failed")), [{
    event: "auction.advance_failed",
    day,
    error: "RangeError",
    temporary: false,
    message: "a bug",
  }]);
});

Deno.test("advanceAuctions() leaves a day alone that an operator opened early", async () => {
  await using world = await openAuctionWorld();
  await advanceAuctions(world.services);
  const early = addDays(day, 1);
  const opened = await openAuction(world.services, { day: early });
  world.clock.set(`${early}T00:00:30.000Z`);
  await advanceAuctions(world.services);
  assertEquals(await world.services.store.auctions.find(early), opened);
});

Deno.test("advanceAuctions() settles a day that was closed ahead once it has begun, not before", async () => {
  await using world = await openAuctionWorld();
  await advanceAuctions(world.services);
  const early = addDays(day, 1);
  const opened = await openAuction(world.services, { day: early });
  const { store } = world.services;
  // As a store has it in which days could still be closed ahead.
  await store.transact((tx) => {
    const closedAtMs = world.clock.now();
    tx.auctions.save({ ...opened, phase: "CLOSED", closedAtMs });
    tx.settlements.save({
      day: early,
      state: "running",
      candidates: [],
      createdAtMs: closedAtMs,
      dueAtMs: closedAtMs,
      attempts: 0,
      leaseOwner: null,
      leaseUntilMs: 0,
    });
  });
  assertEquals(await advanceAuctions(world.services), {
    failedDays: [],
    isLate: false,
  });
  assertEquals(await store.spotlights.find(early), null);
  world.clock.set(`${early}T00:00:00.000Z`);
  await advanceAuctions(world.services);
  assertEquals((await store.spotlights.find(early))?.day, early);
});

Deno.test("advanceAuctions() keeps the closesAt it published when the hours are changed", async () => {
  await using world = await openAuctionWorld();
  await advanceAuctions(world.services);
  const earlier: Services = {
    ...world.services,
    settings: {
      ...world.services.settings,
      auctionHours: { opensAtMinute: 0, closesAtMinute: 8 * 60 },
    },
  };
  await advanceAuctions(earlier);
  const { store } = world.services;
  assertEquals((await store.auctions.find(day))?.phase, "OPEN");
  world.clock.set(`${day}T23:55:00.000Z`);
  await advanceAuctions(earlier);
  assertEquals((await store.auctions.find(day))?.phase, "CLOSED");
});

Deno.test("advanceAuctions() closes at the closesAt it published when the hours become longer", async () => {
  await using world = await openAuctionWorld();
  await advanceAuctions(world.services);
  world.clock.set(`${day}T23:56:00.000Z`);
  await advanceAuctions({
    ...world.services,
    settings: {
      ...world.services.settings,
      auctionHours: { opensAtMinute: 0, closesAtMinute: 23 * 60 + 59 },
    },
  });
  const auction = await world.services.store.auctions.find(day);
  assertEquals(auction?.settledAtMs, world.clock.now());
});

Deno.test("advanceAuctions() ends in time though the processor is silent, and gives every day its turn", async () => {
  await using world = await openAuctionWorld();
  const ada = await world.advertiser("ada");
  for (let n = 0; n < 6; n++) {
    await openAuction(world.services, { day: addDays(day, n) });
    await world.bid(ada, 500, addDays(day, n));
  }
  world.clock.set(`${addDays(day, 6)}T10:00:00.000Z`);
  const asked = new Set<string>();
  const silent = world.another((real) => ({
    ...real,
    listInvoices({ from }) {
      asked.add(dayOf(from + DAY_MS));
      world.clock.advance(20_000);
      return Promise.reject(new ProcessorUncertain());
    },
  }));
  const beganMs = world.clock.now();
  await advanceAuctions(silent.services);
  assertEquals(world.clock.now() - beganMs <= 60_000, true, "ends in a minute");
  for (let run = 0; run < 3; run++) await advanceAuctions(silent.services);
  assertEquals(asked.size, 6);
});

Deno.test("a clock that jumps days ahead of the processor's closes, settles and opens no day to come", async () => {
  await using world = await openAuctionWorld();
  const { store, processor } = world.services;
  await advanceAuctions(world.services);
  await world.bid(await world.advertiser("ada"), 500);
  const told = world.clock.now();
  const services: Services = {
    ...world.services,
    processor: { ...processor, retrieveClock: () => Promise.resolve(told) },
  };
  world.clock.set(`${addDays(day, 3)}T10:00:00.000Z`);
  await advanceAuctions(services);
  assertEquals((await store.auctions.find(day))?.phase, "OPEN");
  assertEquals(await store.auctions.find(addDays(day, 1)), null);
  assertEquals(await store.listSpotlights(null, { limit: 9 }), []);
  const ahead = world.log.events.filter((event) => event.includes("clock"));
  assertEquals(ahead, ["auction.clock_ahead"]);
});
