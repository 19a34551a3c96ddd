import { assertEquals } from "@std/assert";
import { bookClicks } from "../../../domain/clicks/book_clicks.ts";
import {
  type Booking,
  bookingsOf,
  type FinalTimes,
  TALLIES_A_BOOKING,
  VISITS_A_BOOKING,
  type WaitingClick,
} from "../../../domain/clicks/booking.ts";
import type { NotHumanReason } from "../../../domain/clicks/click.ts";
import { readDayClicks } from "../../../domain/clicks/day_clicks.ts";
import { addDays, type Day } from "../../../domain/day.ts";
import { figuresOf } from "../../support/click_world.ts";
import { TEST_START_MS } from "../../support/clock.ts";
import { keyOf } from "../../support/faults.ts";
import { CountingIds } from "../../support/ids.ts";
import { settle, spotlight } from "../../support/public_spotlights.ts";
import { openTestStore } from "../../support/store.ts";

const DAY = "2026-11-18" as Day;
const NEXT = "2026-11-19" as Day;
const HALF_HOUR_MS = 30 * 60_000;

Deno.test("clicks of a visitor in one booking are told apart in their order", async () => {
  await using test = await openTestStore();
  const times = [HALF_HOUR_MS, 0, HALF_HOUR_MS - 1, 2 * HALF_HOUR_MS];
  await bookClicks(test, booking(times.map((ms) => visit("v", ms))));
  assertEquals(await figuresOf(test.store, DAY), {
    "outcome human": 3,
    "outcome repeat": 1,
    "hour 2026-11-20T12": 2,
    "hour 2026-11-20T13": 1,
    "country LV": 3,
  });
});

Deno.test("a click booked late is still a repeat of what it followed", async () => {
  await using test = await openTestStore();
  await bookClicks(test, booking([visit("v", 0)]));
  test.clock.advance(HALF_HOUR_MS + 9 * 60_000);
  await bookClicks(test, booking([visit("v", HALF_HOUR_MS - 1)]));
  assertEquals((await figuresOf(test.store, DAY))["outcome repeat"], 1);
});

Deno.test("a booking made twice counts once and tells of its visitors both times", async () => {
  await using test = await openTestStore();
  const once = booking([visit("v", 0), tally("bot")]);
  const first = await bookClicks(test, once);
  const second = await bookClicks(test, once);
  assertEquals(second.visitors[0]?.untilMs, first.visitors[0]?.untilMs);
  assertEquals((await figuresOf(test.store, DAY))["outcome human"], 1);
  assertEquals((await figuresOf(test.store, DAY))["outcome bot"], 1);
});

Deno.test("two isolates that book one visitor at once count it once", async () => {
  await using test = await openTestStore();
  const other = test.another();
  await Promise.all([
    bookClicks(test, booking([visit("v", 0)], "clb_a")),
    bookClicks({ ...test, ...other }, booking([visit("v", 5)], "clb_b")),
  ]);
  const figures = await figuresOf(test.store, DAY);
  assertEquals(figures["outcome human"], 1);
  assertEquals(figures["outcome repeat"], 1);
});

Deno.test("a booking that lost its race to another isolate finds a repeat", async () => {
  await using test = await openTestStore();
  const other = test.another([{
    on: "commit",
    key: keyOf("click_visitors"),
    fault: {
      kind: "hold",
      until: bookClicks(test, booking([visit("v", 0)], "clb_a")),
    },
  }]);
  await bookClicks(
    { ...test, ...other },
    booking([visit("v", 1)], "clb_b"),
  );
  const figures = await figuresOf(test.store, DAY);
  assertEquals(figures["outcome human"], 1);
  assertEquals(figures["outcome repeat"], 1);
});

Deno.test("what is booked after the figures were read as final changes nothing and is told", async () => {
  await using test = await openTestStore();
  const settledAtMs = TEST_START_MS;
  const finalAtMs = settledAtMs + 48 * 3_600_000;
  await settle(test.store, spotlight(DAY), spotlight(NEXT, { settledAtMs }));
  const finalTimes: FinalTimes = new Map([[DAY, finalAtMs]]);
  const waiting = [visit("v", 0), tally("bot"), tally("bot")];
  test.clock.set(finalAtMs);
  const before = await readDayClicks(test, DAY);
  assertEquals(before, {
    clicks: 0,
    humanClicks: 0,
    countries: 0,
    final: true,
  });
  const { late } = await bookClicks(
    test,
    booking(waiting, "clb_x", finalTimes),
  );
  assertEquals(late, 3);
  assertEquals(await readDayClicks(test, DAY), before);
});

Deno.test("a booking under way while the figures are closed is counted before or not at all", async () => {
  await using test = await openTestStore();
  const settledAtMs = TEST_START_MS;
  const finalAtMs = settledAtMs + 48 * 3_600_000;
  await settle(test.store, spotlight(DAY), spotlight(NEXT, { settledAtMs }));
  test.clock.set(finalAtMs);
  const reading = Promise.withResolvers<void>();
  const slow = test.another([{
    on: "commit",
    key: keyOf("click_bookings"),
    fault: { kind: "hold", until: reading.promise },
  }]);
  const finalTimes: FinalTimes = new Map([[DAY, finalAtMs]]);
  const underWay = bookClicks(
    { ...test, ...slow },
    booking([visit("v", 0)], "clb_slow", finalTimes),
  );
  const read = await readDayClicks(test, DAY);
  reading.resolve();
  assertEquals((await underWay).late, 1);
  assertEquals(await readDayClicks(test, DAY), read);
});

Deno.test("clicks are put into bookings that one commit can take each", async () => {
  const visits = Array.from(
    { length: 2 * VISITS_A_BOOKING + 1 },
    (_, n) => visit(`v${n}`, n),
  );
  const tallies = Array.from(
    { length: TALLIES_A_BOOKING + 1 },
    (_, n) => ({ ...tally("bot"), day: addDays(DAY, n) }),
  );
  const ids = new CountingIds();
  const bookings = bookingsOf(
    [...visits, ...visits, ...tallies, ...tallies],
    new Map(),
    () => ids.next("clb"),
  );
  assertEquals(bookings.map((each) => each.visits.length), [7, 7, 1]);
  assertEquals(bookings.map((each) => each.tallies.length), [100, 1, 0]);
  const clicks = bookings.reduce((sum, each) => sum + each.clicks, 0);
  assertEquals(clicks, 2 * (visits.length + tallies.length));
  await using test = await openTestStore();
  for (const each of bookings) await bookClicks(test, each);
  assertEquals((await readDayClicks(test, DAY)).humanClicks, visits.length);
});

Deno.test("no row that tells of a visitor lies in the store without an end", async () => {
  await using test = await openTestStore();
  await bookClicks(test, booking([visit("v", 0)]));
  for (const { writes } of test.kv.commits) {
    for (const write of writes) {
      if (write.kind !== "set") continue;
      const expireIn = write.options?.expireIn ?? Infinity;
      if (write.key[0] === "click_visitors") {
        assertEquals(expireIn <= 3_600_000, true, `${expireIn} ms`);
      }
    }
  }
});

function visit(visitor: string, afterMs: number): WaitingClick {
  const atMs = TEST_START_MS + afterMs;
  return { day: DAY, atMs, reason: null, visitor, country: "LV" };
}

function tally(reason: NotHumanReason): WaitingClick {
  return { ...visit("", 0), reason };
}

/** All of the clicks, which one booking can take. */
function booking(
  clicks: readonly WaitingClick[],
  id = `clb_${crypto.randomUUID()}`,
  finalTimes: FinalTimes = new Map(),
): Booking {
  const [one, ...more] = bookingsOf(clicks, finalTimes, () => id);
  if (one === undefined || more.length > 0) throw new Error("not one booking");
  return one;
}
