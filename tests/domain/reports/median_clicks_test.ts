import { assertEquals, assertRejects } from "@std/assert";
import { addDays } from "../../../domain/day.ts";
import { medianClicksReader } from "../../../domain/reports/median_clicks.ts";
import type { Spotlight } from "../../../domain/spotlights/spotlight.ts";
import { ManualClock } from "../../support/clock.ts";
import {
  publicRecordsOf,
  removed,
  settle,
  settledDays,
  spotlight,
  TEST_TODAY,
} from "../../support/public_spotlights.ts";
import { openTestStore } from "../../support/store.ts";

const HOUSE = { contentType: "house_advertisement", accountId: null } as const;

/** A store with settled days, each with clicks of so many people. */
async function openWorld(
  days: readonly Spotlight[],
  clicksOf: (day: Spotlight, nth: number) => number,
) {
  const clock = new ManualClock();
  const test = await openTestStore({ clock });
  await settle(test.store, ...days);
  await test.store.transact((tx) => {
    for (const [nth, day] of days.entries()) {
      tx.clickCounts.add(clicksOf(day, nth), day.day, "outcome", "human");
      tx.clickCounts.add(900, day.day, "outcome", "bot");
    }
  });
  const services = { store: test.store, clock };
  return {
    ...test,
    services,
    records: await publicRecordsOf(test.store),
    read: medianClicksReader(services),
    [Symbol.asyncDispose]: () => test.close(),
  };
}

Deno.test("medianClicksReader() tells the median of the last 30 paid days that are final", async () => {
  // The newest three are not final. Of 40 days the oldest seven are too old.
  await using world = await openWorld(settledDays(40), (_, nth) => nth * 10);
  // 07 to 36, by tens: between 210 and 220.
  assertEquals(await world.read(world.records.snapshot), {
    humanClicks: 215,
    days: 30,
  });
});

Deno.test("medianClicksReader() leaves out house days, removed days and what is still counted", async () => {
  const days = settledDays(12).map((day, nth) =>
    nth === 1 ? removed(day) : nth === 2 ? { ...day, ...HOUSE } : day
  );
  await using world = await openWorld(
    days,
    (_, nth) => nth === 1 || nth === 2 || nth > 8 ? 5_000 : nth + 1,
  );
  // Left are 1, 4, 5, 6, 7, 8 and 9.
  const median = await world.read(world.records.snapshot);
  assertEquals(median, { humanClicks: 6, days: 7 });
});

Deno.test("medianClicksReader() tells nothing of fewer than five days", async () => {
  await using world = await openWorld(settledDays(7), () => 10);
  assertEquals(await world.read(world.records.snapshot), null);
  await using empty = await openWorld([], () => 0);
  assertEquals(await empty.read(empty.records.snapshot), null);
});

Deno.test("medianClicksReader() reads once until another day settles, however many ask", async () => {
  await using world = await openWorld(settledDays(20), (_, nth) => nth);
  const { read, records, store } = world;
  const [one, two] = await Promise.all([
    read(records.snapshot),
    read(records.snapshot),
  ]);
  assertEquals(one, two);
  await store.transact((tx) => {
    for (const { day } of settledDays(20)) {
      tx.clickCounts.add(1_000, day, "outcome", "human");
    }
  });
  assertEquals(await read(records.snapshot), one);
  await settle(store, spotlight(addDays(TEST_TODAY, 1)));
  await records.refresh();
  const later = await read(records.snapshot);
  assertEquals(later?.humanClicks, (one?.humanClicks ?? 0) + 1_000);
});

Deno.test("medianClicksReader() forgets a reading that failed", async () => {
  await using world = await openWorld(settledDays(20), () => 7);
  const { read, records, kv } = world;
  const { snapshot } = records;
  kv.inject({ on: "read", fault: { kind: "fail_before" } });
  await assertRejects(() => read(snapshot));
  assertEquals((await read(snapshot))?.humanClicks, 7);
});
