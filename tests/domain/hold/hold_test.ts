import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../domain/day.ts";
import {
  type Hold,
  holdAfterRestore,
  lostTimesOf,
  missedAfter,
  UNKNOWN_AGE_MS,
} from "../../../domain/hold/hold.ts";

const BORN_MS = Date.parse("2026-01-01T00:00:00.000Z");

/** The hold of the next restore, from a backup of a day before it. */
function next(carried: Hold | null, atMs: number, backupAtMs: number | null) {
  return holdAfterRestore(carried, {
    kind: "restored",
    restoredAtMs: atMs,
    backupAtMs,
  });
}

function released(hold: Hold, releasedAtMs: number): Hold {
  return { ...hold, releasedAtMs };
}

Deno.test("lostTimesOf() names the time from a backup to the release, and to now while there is none", () => {
  const hold = next(null, BORN_MS, BORN_MS - DAY_MS);
  const fromMs = BORN_MS - DAY_MS;
  const nowMs = BORN_MS + 5;
  assertEquals(lostTimesOf(hold, nowMs), [{ fromMs, untilMs: nowMs }]);
  assertEquals(lostTimesOf(released(hold, BORN_MS + 3), nowMs), [
    { fromMs, untilMs: BORN_MS + 3 },
  ]);
});

Deno.test("lostTimesOf() goes far back for a backup that does not say when it was made, or says that it was after its restore", () => {
  assertEquals(UNKNOWN_AGE_MS, 60 * DAY_MS);
  const fromMs = BORN_MS - UNKNOWN_AGE_MS;
  for (const backupAtMs of [null, BORN_MS, BORN_MS + 2 * DAY_MS]) {
    const hold = next(null, BORN_MS, backupAtMs);
    assertEquals(lostTimesOf(hold, BORN_MS), [{ fromMs, untilMs: BORN_MS }]);
  }
  const before = next(null, BORN_MS, BORN_MS - 1);
  assertEquals(lostTimesOf(before, BORN_MS)[0]?.fromMs, BORN_MS - 1);
});

Deno.test("holdAfterRestore() keeps the times that earlier restores lost, whether they were released or not", () => {
  const first = released(next(null, BORN_MS, BORN_MS - 10), BORN_MS + 10);
  const second = next(first, BORN_MS + 100, BORN_MS + 50);
  const third = next(second, BORN_MS + 200, BORN_MS + 150);
  assertEquals(lostTimesOf(third, BORN_MS + 300), [
    { fromMs: BORN_MS - 10, untilMs: BORN_MS + 10 },
    { fromMs: BORN_MS + 50, untilMs: BORN_MS + 300 },
  ]);
  assertEquals(third.releasedAtMs, null);
});

Deno.test("holdAfterRestore() makes a hold of a store that is not whole yet, and of a drill a drill", () => {
  const drill: Hold = { ...next(null, BORN_MS, null), kind: "drill" };
  assertEquals(next(null, BORN_MS, null).isWhole, false);
  assertEquals(next(drill, BORN_MS + 1, BORN_MS).kind, "drill");
  const onHold = next(null, BORN_MS, BORN_MS - 10);
  const again = next(onHold, BORN_MS + 1, BORN_MS);
  assertEquals([again.kind, again.backupAtMs], ["restored", BORN_MS - 10]);
  assertEquals("earlier" in again, false);
});

Deno.test("what releases could not take over is named on after the next release and restore, of many the last", () => {
  const names = (from: number, count: number) =>
    Array.from({ length: count }, (_, nth) => `dispute_to_book:${from + nth}`);
  assertEquals(missedAfter({}, []), {});
  const { missed } = missedAfter({ missed: names(0, 200) }, names(100, 200));
  assertEquals(missed, names(0, 300));
  assertEquals(missedAfter({ missed: names(0, 300) }, names(300, 200)), {
    missed: names(100, 400),
  });
  const onHold: Hold = { ...next(null, BORN_MS, BORN_MS - 10), missed: ["a"] };
  for (const carried of [onHold, released(onHold, BORN_MS + 1)]) {
    assertEquals(next(carried, BORN_MS + 2, BORN_MS).missed, ["a"]);
  }
});

/** The hold of a store that was restored so often, and released each time. */
function restoredOften(times: number): Hold {
  let hold = next(null, BORN_MS, BORN_MS - 10);
  for (let nth = 1; nth < times; nth++) {
    const atMs = BORN_MS + nth * DAY_MS;
    hold = next(released(hold, atMs - 100), atMs, atMs - 50);
  }
  return hold;
}

for (
  const [times, named, firstUntilMs] of [
    [13, 13, BORN_MS + DAY_MS - 100],
    [14, 13, BORN_MS + 2 * DAY_MS - 100],
    [41, 13, BORN_MS + 29 * DAY_MS - 100],
  ] as const
) {
  Deno.test(`holdAfterRestore() names so many times and no more, and leaves none out of ${times}`, () => {
    const lost = lostTimesOf(restoredOften(times), BORN_MS + 41 * DAY_MS);
    assertEquals(lost.length, named);
    const [first, second] = lost;
    assertEquals(first, { fromMs: BORN_MS - 10, untilMs: firstUntilMs });
    assertEquals(second?.fromMs, firstUntilMs + 50);
  });
}
