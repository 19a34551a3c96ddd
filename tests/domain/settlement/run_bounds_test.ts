/** How far one run over the days goes, and what it leaves to the next. */
import { assertEquals } from "@std/assert";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import { addDays, DAY_MS, dayOf } from "../../../domain/day.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import type { Services, Store } from "../../../domain/ports.ts";
import { advanceAuctions } from "../../../domain/settlement/advance_auctions.ts";
import { AUCTION_DAY, openAuctionWorld } from "../../support/auction_world.ts";
import { putOnHold } from "../../support/restored_world.ts";
import { eventsOf } from "../../support/told_events.ts";

const day = AUCTION_DAY;
const next = addDays(day, 1);

/** The services over a store that does these things differently. */
function over(services: Services, changes: Partial<Store>): Services {
  const store = Object.assign(Object.create(services.store), changes);
  return { ...services, store };
}

Deno.test("advanceAuctions() opens and closes 400 days a run and settles 100, and the next run goes on from there", async () => {
  await using world = await openAuctionWorld({ isAtHand: true });
  const { services, clock } = world;
  const { store } = services;
  await advanceAuctions(services);
  const last = addDays(day, 400);
  clock.set(`${last}T10:00:00.000Z`);
  await advanceAuctions(services);
  const yesterday = await store.auctions.find(addDays(last, -1));
  assertEquals(yesterday?.phase, "CLOSED");
  assertEquals(await store.auctions.find(last), null);
  const calendar = await store.calendar.find();
  assertEquals(calendar?.settledThroughDay, addDays(day, 99));
  await advanceAuctions(services);
  assertEquals((await store.auctions.find(last))?.phase, "OPEN");
});

for (const [tookMs, begun] of [[40_000, 2], [40_001, 1]] as const) {
  Deno.test(`advanceAuctions() begins ${begun} of two settlements where the first takes ${tookMs} ms`, async () => {
    await using world = await openAuctionWorld();
    const ada = await world.advertiser("ada");
    for (const each of [day, next]) {
      await openAuction(world.services, { day: each });
      await world.bid(ada, 500, each);
    }
    world.clock.set(`${addDays(day, 2)}T10:00:00.000Z`);
    const asked = new Set<string>();
    const silent = world.another((real) => ({
      ...real,
      listInvoices({ from }) {
        asked.add(dayOf(from + DAY_MS));
        world.clock.advance(tookMs);
        return Promise.reject(new ProcessorUncertain());
      },
    }));
    await advanceAuctions(silent.services);
    assertEquals(asked.size, begun);
  });
}

for (const [tookMs, isFirst] of [[4_999, true], [5_000, false]] as const) {
  Deno.test(`bidders are told of a close ${isFirst ? "before" : "after"} the days are settled where telling those of another took ${tookMs} ms`, async () => {
    await using world = await openAuctionWorld();
    const { clock, services } = world;
    const ada = await world.advertiser("ada");
    for (const each of [day, next]) {
      await openAuction(services, { day: each });
      await world.bid(ada, 500, each);
    }
    clock.set(`${addDays(day, 2)}T10:00:00.000Z`);
    let isSlow = true;
    await advanceAuctions(over(services, {
      listBids(of, options) {
        // Who is told is read from somewhere on, other than who is ranked.
        if (isSlow && "after" in options) clock.advance(tookMs);
        isSlow &&= !("after" in options);
        return services.store.listBids(of, options);
      },
    }));
    const types = (await eventsOf(services, "acc_ada")).map(({ type }) => type);
    const closed = types.flatMap((type, at) =>
      type === "auction.closed" ? [at] : []
    );
    assertEquals(closed, isFirst ? [0, 1] : [0, types.length - 1]);
  });
}

Deno.test("advanceAuctions() asks the processor nothing and tells nobody while a day is open and those before it have settled", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  await advanceAuctions(services);
  clock.set(`${next}T00:00:00.000Z`);
  await advanceAuctions(services);
  clock.advance(60_000);
  const asked: string[] = [];
  const watched = over(services, {
    listDue(family, nowMs, options) {
      asked.push(family);
      return services.store.listDue(family, nowMs, options);
    },
  });
  const processor = {
    ...services.processor,
    retrieveClock() {
      asked.push("clock");
      return services.processor.retrieveClock();
    },
  };
  await advanceAuctions({ ...watched, processor });
  assertEquals(asked, []);
});

Deno.test("advanceAuctions() closes and settles a day behind which an operator had opened the next", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  await advanceAuctions(services);
  await openAuction(services, { day: next });
  clock.set(`${next}T00:01:00.000Z`);
  await advanceAuctions(services);
  const auction = await services.store.auctions.find(day);
  assertEquals(auction?.settledAtMs, clock.now());
});

Deno.test("advanceAuctions() closes a day while the store is on hold, and neither settles it nor says that it failed", async () => {
  await using world = await openAuctionWorld();
  const { services, clock } = world;
  await putOnHold(services);
  await advanceAuctions(services);
  const nothing = { failedDays: [], isLate: false };
  clock.set(`${day}T23:55:00.000Z`);
  assertEquals(await advanceAuctions(services), nothing);
  clock.set(`${next}T12:00:00.000Z`);
  assertEquals(await advanceAuctions(services), nothing);
  const auction = await services.store.auctions.find(day);
  assertEquals([auction?.phase, auction?.settledAtMs], ["CLOSED", null]);
});
