import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { addDays, type Day } from "../../../domain/day.ts";
import {
  type ListSpotlights,
  listSpotlights,
} from "../../../domain/spotlights/list_spotlights.ts";
import { PublicRecords } from "../../../domain/spotlights/public_records.ts";
import type { Spotlight } from "../../../domain/spotlights/spotlight.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import {
  dayText,
  removed,
  settledDays,
  spotlight,
  TEST_BASE_URL,
  TEST_TODAY,
} from "../../support/public_spotlights.ts";

/** Records of plain values: what is listed does not depend on the store. */
async function recordsOf(all: readonly Spotlight[]): Promise<PublicRecords> {
  const store = {
    spotlightsVersion: () => Promise.resolve("1"),
    listSpotlights: (after: string | null) =>
      Promise.resolve(all.filter(({ day }) => after === null || day > after)),
  };
  const log = new MemoryLog();
  const records = new PublicRecords({ store, log, baseUrl: TEST_BASE_URL });
  await records.refresh();
  return records;
}

interface Page {
  days: string[];
  nextOffset: number | null;
  nextCursor: Day | null;
}

function read(records: PublicRecords, input: ListSpotlights): Page {
  const { items, ...next } = listSpotlights(records, input);
  return { days: items.map(({ day }) => day), ...next };
}

const FIVE = await recordsOf(settledDays(5));

Deno.test("listSpotlights() gives the newest first and both ways on", () => {
  assertEquals(read(FIVE, { limit: 2, from: { offset: 0 } }), {
    days: ["2026-11-19", "2026-11-18"],
    nextOffset: 2,
    nextCursor: dayText("2026-11-18"),
  });
});

Deno.test("listSpotlights() gives both ways on after a cursor too", () => {
  const cursor = spotlight("2026-11-18").day;
  assertEquals(read(FIVE, { limit: 2, from: { cursor } }), {
    days: ["2026-11-17", "2026-11-16"],
    nextOffset: 4,
    nextCursor: dayText("2026-11-16"),
  });
});

Deno.test("listSpotlights() ends with null for both on the last page", () => {
  const end = { nextOffset: null, nextCursor: null };
  assertEquals(read(FIVE, { limit: 3, from: { offset: 2 } }), {
    days: ["2026-11-17", "2026-11-16", "2026-11-15"],
    ...end,
  });
  const cursor = spotlight("2026-11-16").day;
  assertEquals(read(FIVE, { limit: 1, from: { cursor } }), {
    days: ["2026-11-15"],
    ...end,
  });
});

Deno.test("listSpotlights() is empty past the oldest day", () => {
  const empty = { days: [], nextOffset: null, nextCursor: null };
  assertEquals(read(FIVE, { limit: 1, from: { offset: 5 } }), empty);
  assertEquals(read(FIVE, { limit: 1, from: { offset: 10_000 } }), empty);
  const cursor = spotlight("2000-01-01").day;
  assertEquals(read(FIVE, { limit: 1, from: { cursor } }), empty);
});

Deno.test("listSpotlights() takes a cursor of a day without a record", async () => {
  const [first, second, third] = settledDays(3);
  const records = await recordsOf(
    [first, second && removed(second), third].filter((one) => !!one),
  );
  const cursor = spotlight("2026-11-18").day;
  assertEquals(read(records, { limit: 5, from: { cursor } }).days, [
    "2026-11-17",
  ]);
  const future = addDays(TEST_TODAY, 400);
  assertEquals(read(records, { limit: 5, from: { cursor: future } }).days, [
    "2026-11-19",
    "2026-11-17",
  ]);
});

Deno.test("listSpotlights() offers no offset past 10,000 but a cursor", async () => {
  const records = await recordsOf(settledDays(10_002));
  const at = (offset: number) => {
    const page = read(records, { limit: 1, from: { offset } });
    return [page.nextOffset, page.nextCursor !== null];
  };
  assertEquals(at(9_999), [10_000, true]);
  assertEquals(at(10_000), [null, true]);
});

Deno.test("listSpotlights() walks by cursor and by offset over all days", async () => {
  const days = fc.uniqueArray(fc.integer({ min: 1, max: 120 }), {
    maxLength: 60,
  });
  const removals = fc.array(fc.boolean(), { minLength: 60, maxLength: 60 });
  const limit = fc.integer({ min: 1, max: 50 });
  await fc.assert(
    fc.asyncProperty(days, removals, limit, async (ages, gone, limit) => {
      const all = ages.toSorted((a, b) => b - a).map((age, at) => {
        const settled = spotlight(addDays(TEST_TODAY, -age));
        return gone[at] ? removed(settled) : settled;
      });
      const newestFirst = all.filter((one) => one.removedAtMs === null)
        .map(({ day }) => day).reverse();
      const records = await recordsOf(all);
      assertEquals(walk(records, limit, "offset"), newestFirst);
      assertEquals(walk(records, limit, "cursor"), newestFirst);
    }),
  );
});

/** Follows one of the two ways on from the first page to the last. */
function walk(
  records: PublicRecords,
  limit: number,
  way: "cursor" | "offset",
): string[] {
  const seen: string[] = [];
  let from: ListSpotlights["from"] = { offset: 0 };
  for (;;) {
    const page = read(records, { limit, from });
    assertEquals(page.nextOffset === null, page.nextCursor === null);
    seen.push(...page.days);
    if (page.nextOffset === null || page.nextCursor === null) return seen;
    assertEquals(page.days.length, limit);
    from = way === "offset"
      ? { offset: page.nextOffset }
      : { cursor: page.nextCursor };
  }
}
