import { assertEquals } from "@std/assert";
import type { ClickDimension } from "../../../domain/clicks/click.ts";
import { readDayClicks } from "../../../domain/clicks/day_clicks.ts";
import type { Day } from "../../../domain/day.ts";
import type { Store } from "../../../domain/ports.ts";
import { settle, spotlight } from "../../support/public_spotlights.ts";
import { openTestStore } from "../../support/store.ts";

const DAY = "2026-11-18" as Day;
const NEXT = "2026-11-19" as Day;
const NEXT_SETTLED_MS = Date.parse("2026-11-19T23:55:30.000Z");
const FINAL_MS = Date.parse("2026-11-21T23:55:30.000Z");

Deno.test("readDayClicks() answers zeros when nothing was counted", async () => {
  await using test = await openTestStore();
  const expected = { clicks: 0, humanClicks: 0, countries: 0, final: false };
  assertEquals(await readDayClicks(test, DAY), expected);
});

Deno.test("readDayClicks() leaves prefetches out of the clicks", async () => {
  await using test = await openTestStore();
  await count(test.store, [
    ["outcome", "human", 5],
    ["outcome", "bot", 2],
    ["outcome", "prefetch", 9],
    ["hour", "2026-11-20T13", 5],
    ["country", "LV", 3],
    ["country", "DE", 1],
  ]);
  const expected = { clicks: 7, humanClicks: 5, countries: 2, final: false };
  assertEquals(await readDayClicks(test, DAY), expected);
});

Deno.test("readDayClicks() counts the day that is asked for and no other", async () => {
  await using test = await openTestStore();
  await count(test.store, [["outcome", "human", 5]], NEXT);
  assertEquals((await readDayClicks(test, DAY)).clicks, 0);
});

Deno.test("figures of the current Spotlight are not final, however old", async () => {
  await using test = await openTestStore();
  await settle(test.store, spotlight(DAY));
  test.clock.set("2027-11-18T00:00:00.000Z");
  assertEquals((await readDayClicks(test, DAY)).final, false);
});

Deno.test("figures are final 48 hours after the next day settled, to the millisecond", async () => {
  await using test = await openTestStore();
  await settle(
    test.store,
    spotlight(DAY),
    spotlight(NEXT, { settledAtMs: NEXT_SETTLED_MS }),
  );
  test.clock.set(FINAL_MS - 1);
  assertEquals((await readDayClicks(test, DAY)).final, false);
  test.clock.set(FINAL_MS);
  assertEquals((await readDayClicks(test, DAY)).final, true);
});

Deno.test("a Spotlight left its place also when its successor was removed", async () => {
  await using test = await openTestStore();
  await settle(
    test.store,
    spotlight(DAY),
    spotlight(NEXT, { settledAtMs: NEXT_SETTLED_MS, removedAtMs: FINAL_MS }),
  );
  test.clock.set(FINAL_MS);
  assertEquals((await readDayClicks(test, DAY)).final, true);
});

Deno.test("a Spotlight that settles after a later one is final 48 hours later", async () => {
  await using test = await openTestStore();
  const settledAtMs = NEXT_SETTLED_MS + 3_600_000;
  await settle(
    test.store,
    spotlight(DAY, { settledAtMs }),
    spotlight(NEXT, { settledAtMs: NEXT_SETTLED_MS }),
  );
  test.clock.set(FINAL_MS + 3_600_000 - 1);
  assertEquals((await readDayClicks(test, DAY)).final, false);
  test.clock.advance(1);
  assertEquals((await readDayClicks(test, DAY)).final, true);
});

function count(
  store: Store,
  counts: readonly [ClickDimension, string, number][],
  day: Day = DAY,
): Promise<void> {
  return store.transact((tx) => {
    for (const [dimension, value, number] of counts) {
      tx.clickCounts.add(number, day, dimension, value);
    }
  });
}
