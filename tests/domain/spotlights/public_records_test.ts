import { assert, assertEquals, assertThrows } from "@std/assert";
import { StoreUnavailable } from "../../../domain/failure.ts";
import {
  PublicRecords,
  READ_PAGE,
} from "../../../domain/spotlights/public_records.ts";
import type { FaultRule } from "../../support/faults.ts";
import { keyOf } from "../../support/faults.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import {
  dayText,
  publicRecordsOf,
  removed,
  settle,
  settledDays,
  spotlight,
  TEST_BASE_URL,
} from "../../support/public_spotlights.ts";
import { openTestStore } from "../../support/store.ts";

const FIRST = spotlight("2026-11-17");
const SECOND = spotlight("2026-11-18");
const THIRD = spotlight("2026-11-19");

function daysOf(records: PublicRecords): string[] {
  return records.snapshot.records.map(({ day }) => day);
}

Deno.test("PublicRecords is unavailable until it was read once", async () => {
  await using test = await openTestStore();
  const { store } = test;
  const records = new PublicRecords({
    store,
    log: new MemoryLog(),
    baseUrl: TEST_BASE_URL,
  });
  assertEquals(records.loaded, false);
  assertThrows(() => records.snapshot, StoreUnavailable);
  assertEquals(await records.refresh(), "changed");
  assertEquals(records.loaded, true);
  assertEquals(daysOf(records), []);
  assertEquals(records.snapshot.newestSettledDay, null);
});

Deno.test("PublicRecords reads all pages of many days in order", async () => {
  await using test = await openTestStore();
  const all = settledDays(2 * READ_PAGE + 1);
  await settle(test.store, ...all);
  const records = await publicRecordsOf(test.store);
  assertEquals(daysOf(records), all.map(({ day }) => day));
});

Deno.test("PublicRecords reads a list of exactly one full page", async () => {
  await using test = await openTestStore();
  await settle(test.store, ...settledDays(READ_PAGE));
  const records = await publicRecordsOf(test.store);
  assertEquals(daysOf(records).length, READ_PAGE);
});

Deno.test("refresh() reads nothing but the version while it stands", async () => {
  await using test = await openTestStore();
  await settle(test.store, FIRST);
  const records = await publicRecordsOf(test.store);
  const before = test.kv.readCount;
  assertEquals(await records.refresh(), "unchanged");
  assertEquals(test.kv.readCount - before, 1);
});

Deno.test("refresh() shows a day another isolate settled", async () => {
  await using test = await openTestStore();
  await settle(test.store, FIRST);
  const records = await publicRecordsOf(test.store);
  await settle(test.another().store, SECOND, THIRD);
  assertEquals(await records.refresh(), "changed");
  assertEquals(daysOf(records), [FIRST.day, SECOND.day, THIRD.day]);
  assertEquals(records.snapshot.newestSettledDay, THIRD.day);
});

Deno.test("refresh() keeps the record objects of unchanged days", async () => {
  await using test = await openTestStore();
  await settle(test.store, FIRST);
  const records = await publicRecordsOf(test.store);
  const before = records.snapshot.byDay.get(FIRST.day);
  await settle(test.store, SECOND);
  await records.refresh();
  assert(before !== undefined);
  assert(records.snapshot.byDay.get(FIRST.day) === before);
});

Deno.test("refresh() hides an old day another isolate removed", async () => {
  await using test = await openTestStore();
  await settle(test.store, FIRST, SECOND, THIRD);
  const records = await publicRecordsOf(test.store);
  await settle(test.another().store, removed(FIRST));
  await records.refresh();
  assertEquals(daysOf(records), [SECOND.day, THIRD.day]);
  assertEquals(records.snapshot.byDay.has(FIRST.day), false);
});

Deno.test("refresh() shows an old day that settled late", async () => {
  await using test = await openTestStore();
  await settle(test.store, FIRST, THIRD);
  const records = await publicRecordsOf(test.store);
  await settle(test.another().store, SECOND);
  await records.refresh();
  assertEquals(daysOf(records), [FIRST.day, SECOND.day, THIRD.day]);
  assertEquals(records.snapshot.newestSettledDay, THIRD.day);
});

Deno.test("refresh() takes over changed copy with a new entity tag", async () => {
  await using test = await openTestStore();
  await settle(test.store, FIRST);
  const records = await publicRecordsOf(test.store);
  const before = records.snapshot.byDay.get(FIRST.day)?.etag;
  await settle(test.store, { ...FIRST, advertiser: "Former advertiser" });
  await records.refresh();
  const after = records.snapshot.byDay.get(FIRST.day);
  assertEquals(after?.advertiser, "Former advertiser");
  assert(after?.etag !== before);
});

Deno.test("refresh() keeps what it has when the store fails, then retries", async () => {
  await using test = await openTestStore();
  await settle(test.store, FIRST);
  const log = new MemoryLog();
  const records = await publicRecordsOf(test.store, log);
  await settle(test.another().store, SECOND);
  const failures: FaultRule[] = [
    { on: "read", fault: { kind: "fail_before" } },
    { on: "read", fault: { kind: "fail_before" }, key: keyOf("spotlights") },
  ];
  for (const failure of failures) {
    test.kv.inject(failure);
    assertEquals(await records.refresh(), "failed");
    assertEquals(daysOf(records), [FIRST.day]);
  }
  assertEquals(log.events.length, 2);
  assertEquals(await records.refresh(), "changed");
  assertEquals(daysOf(records), [FIRST.day, SECOND.day]);
});

Deno.test("refresh() shares the read of calls that come together", async () => {
  await using test = await openTestStore();
  await settle(test.store, FIRST);
  const records = await publicRecordsOf(test.store);
  await settle(test.another().store, SECOND);
  const before = test.kv.readCount;
  await Promise.all(Array.from({ length: 20 }, () => records.refresh()));
  assert(test.kv.readCount - before <= 3);
  assertEquals(daysOf(records), [FIRST.day, SECOND.day]);
});

Deno.test("refreshNow() sees a change committed after a read began", async () => {
  await using test = await openTestStore();
  await settle(test.store, FIRST, SECOND);
  const records = await publicRecordsOf(test.store);
  const gate = Promise.withResolvers<void>();
  const hold = gate.promise;
  test.kv.inject({ on: "read", fault: { kind: "hold", until: hold } });
  const early = records.refresh();
  await settle(test.another().store, removed(SECOND));
  const late = [records.refreshNow(), records.refreshNow()];
  gate.resolve();
  await Promise.all([early, ...late]);
  assertEquals(daysOf(records), [FIRST.day]);
});

Deno.test("refreshNow() reads at once when nothing is under way", async () => {
  await using test = await openTestStore();
  const records = await publicRecordsOf(test.store);
  await settle(test.another().store, FIRST);
  assertEquals(await records.refreshNow(), "changed");
  assertEquals(daysOf(records), [FIRST.day]);
});

Deno.test("apply() hides a removed day without reading", async () => {
  await using test = await openTestStore();
  await settle(test.store, FIRST, SECOND);
  const records = await publicRecordsOf(test.store);
  const before = test.kv.readCount;
  records.apply(removed(SECOND));
  assertEquals(daysOf(records), [FIRST.day]);
  assertEquals(records.snapshot.newestSettledDay, SECOND.day);
  assertEquals(test.kv.readCount, before);
});

Deno.test("apply() is not undone by a refresh that read before it", async () => {
  await using test = await openTestStore();
  await settle(test.store, FIRST, SECOND);
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const slowStore = {
    spotlightsVersion: () => test.store.spotlightsVersion(),
    async listSpotlights() {
      const page = await test.store.listSpotlights(null, { limit: READ_PAGE });
      reached.resolve();
      await gate.promise;
      return page;
    },
  };
  const records = new PublicRecords({
    store: slowStore,
    log: new MemoryLog(),
    baseUrl: TEST_BASE_URL,
  });
  const reading = records.refresh();
  await reached.promise;
  records.apply(removed(SECOND));
  records.apply(THIRD);
  gate.resolve();
  await reading;
  assertEquals(daysOf(records), [FIRST.day, THIRD.day]);
});

Deno.test("apply() leaves snapshots that readers hold unchanged", async () => {
  await using test = await openTestStore();
  await settle(test.store, FIRST);
  const records = await publicRecordsOf(test.store);
  const held = records.snapshot;
  records.apply(removed(FIRST));
  assertEquals(held.records.length, 1);
  assert(held.byDay.has(dayText("2026-11-17")));
});

Deno.test("refresh() compares 10,000 days in 23 reads", async () => {
  await using test = await openTestStore();
  const all = settledDays(10_000);
  await settle(test.store, ...all);
  const records = await publicRecordsOf(test.store);
  const [oldest] = all;
  assert(oldest !== undefined);
  await settle(test.another().store, removed(oldest));
  const before = test.kv.readCount;
  await records.refresh();
  // The version, the days after the newest, 20 full pages and an empty one.
  assertEquals(test.kv.readCount - before, 23);
  assertEquals(daysOf(records), all.slice(1).map(({ day }) => day));
});
