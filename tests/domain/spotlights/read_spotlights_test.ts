import { assertEquals, assertThrows } from "@std/assert";
import type { PublicRecords } from "../../../domain/spotlights/public_records.ts";
import { readCurrentSpotlight } from "../../../domain/spotlights/read_current_spotlight.ts";
import {
  readSpotlight,
  readSpotlightBatch,
} from "../../../domain/spotlights/read_spotlight.ts";
import { type Refusal, Refused } from "../../../domain/refusal.ts";
import {
  dayText,
  publicRecordsOf,
  removed,
  settle,
  spotlight,
} from "../../support/public_spotlights.ts";
import { openTestStore } from "../../support/store.ts";

const PAID = spotlight("2026-11-18");
const HOUSE = spotlight("2026-11-19", { contentType: "house_advertisement" });
const ALL = { includeHouseAds: true };

function refusalOf(run: () => unknown): Refusal {
  return assertThrows(run, Refused).refusal;
}

function current(records: PublicRecords): string {
  return readCurrentSpotlight(records, ALL).day;
}

Deno.test("readCurrentSpotlight() gives the newest settled day", async () => {
  await using test = await openTestStore();
  await settle(test.store, PAID, HOUSE);
  const records = await publicRecordsOf(test.store);
  assertEquals(current(records), HOUSE.day);
});

Deno.test("readCurrentSpotlight() finds none before a day settled", async () => {
  await using test = await openTestStore();
  const records = await publicRecordsOf(test.store);
  assertEquals(refusalOf(() => current(records)), {
    code: "spotlight_not_found",
    day: null,
  });
});

Deno.test("readCurrentSpotlight() finds none when house ads do not count", async () => {
  await using test = await openTestStore();
  await settle(test.store, PAID);
  const records = await publicRecordsOf(test.store);
  const paidOnly = { includeHouseAds: false };
  assertEquals(readCurrentSpotlight(records, paidOnly).day, PAID.day);
  records.apply(HOUSE);
  refusalOf(() => readCurrentSpotlight(records, paidOnly));
});

Deno.test("readCurrentSpotlight() never falls back to an older day", async () => {
  await using test = await openTestStore();
  await settle(test.store, PAID, removed(HOUSE));
  const records = await publicRecordsOf(test.store);
  refusalOf(() => current(records));
  records.apply(spotlight("2026-11-20"));
  assertEquals(current(records), "2026-11-20");
});

Deno.test("readSpotlight() answers alike for removed and unsettled days", async () => {
  await using test = await openTestStore();
  await settle(test.store, removed(PAID), HOUSE);
  const records = await publicRecordsOf(test.store);
  assertEquals(readSpotlight(records, HOUSE.day).headline, HOUSE.headline);
  for (const day of [PAID.day, dayText("2026-11-21")]) {
    assertEquals(refusalOf(() => readSpotlight(records, day)), {
      code: "spotlight_not_found",
      day,
    });
  }
});

Deno.test("readSpotlightBatch() keeps order and repeats", async () => {
  await using test = await openTestStore();
  await settle(test.store, PAID, HOUSE);
  const records = await publicRecordsOf(test.store);
  const days = ["2026-11-19", "2020-01-01", "2026-11-18", "2026-11-19"];
  const items = readSpotlightBatch(records, days.map(dayText));
  assertEquals(items.map(({ day }) => day as string), days);
  assertEquals(items.map(({ record }) => record?.day ?? null), [
    HOUSE.day,
    null,
    PAID.day,
    HOUSE.day,
  ]);
});
