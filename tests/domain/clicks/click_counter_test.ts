import { assert, assertEquals } from "@std/assert";
import {
  BOOK_AFTER_MS,
  BOOK_AGAIN_AFTER_MS,
} from "../../../domain/clicks/click_counter.ts";
import { BOOKING_TRIED_MS } from "../../../domain/clicks/booking.ts";
import type { Day } from "../../../domain/day.ts";
import { BROWSER, figuresOf, startCounter } from "../../support/click_world.ts";
import type { FaultRule } from "../../support/faults.ts";
import { keyOf } from "../../support/faults.ts";
import { settle, spotlight } from "../../support/public_spotlights.ts";
import { openTestStore } from "../../support/store.ts";

const DAY = "2026-11-19" as Day;
const OTHER_DAY = "2026-11-18" as Day;
/** Every commit of a booking, and nothing else. */
const BOOKINGS = { on: "commit", key: keyOf("click_bookings") } as const;

Deno.test("clicks are counted by outcome, hour and country", async () => {
  await using test = await openTestStore();
  const { counter, click, book } = startCounter(test);
  click(DAY, { address: "10.0.0.1" });
  click(DAY, { address: "20.0.0.1" });
  test.clock.advance(3_600_000);
  click(DAY, { address: "20.0.0.2" });
  click(DAY, { address: "20.0.0.3", headers: { "user-agent": "curl/8" } });
  click(DAY, { address: "20.0.0.4", headers: { purpose: "prefetch" } });
  click(DAY, { address: "99.0.0.1" });
  await book();
  assertEquals(await figuresOf(test.store, DAY), {
    "outcome human": 4,
    "outcome bot": 1,
    "outcome prefetch": 1,
    "hour 2026-11-20T12": 2,
    "hour 2026-11-20T13": 2,
    "country DE": 2,
    "country LV": 1,
  });
  await counter.close();
});

Deno.test("nothing is written before the timer runs, and one timer runs at a time", async () => {
  await using test = await openTestStore();
  const { counter, click, timer } = startCounter(test);
  assertEquals(timer.waiting, []);
  click(DAY, { headers: { "user-agent": "" } });
  click(DAY, { headers: { "user-agent": "" } });
  await counter.idle();
  assertEquals(timer.waiting, [BOOK_AFTER_MS]);
  assertEquals(await figuresOf(test.store, DAY), {});
  await counter.close();
});

Deno.test("close() books what no timer has, and a closed counter sets no timer", async () => {
  await using test = await openTestStore();
  const { counter, click, timer } = startCounter(test);
  for (let n = 1; n <= 30; n++) click(DAY, { address: `10.0.0.${n}` });
  await counter.close();
  assertEquals((await figuresOf(test.store, DAY))["outcome human"], 30);
  assertEquals(timer.waiting, []);
});

Deno.test("a visitor counts again 30 minutes after its counted click, not after its last", async () => {
  await using test = await openTestStore();
  const { counter, click, book } = startCounter(test);
  for (let minute = 0; minute <= 60; minute += 10) {
    click(DAY);
    await book();
    test.clock.advance(10 * 60_000);
  }
  const figures = await figuresOf(test.store, DAY);
  assertEquals(figures["outcome human"], 3, "at 0, 30 and 60 minutes");
  assertEquals(figures["outcome repeat"], 4);
  await counter.close();
});

Deno.test("what is no person's click is not called a repeat", async () => {
  await using test = await openTestStore();
  const { counter, click, book } = startCounter(test);
  click(DAY);
  await book();
  click(DAY, { headers: { "user-agent": BROWSER, purpose: "prefetch" } });
  await book();
  const figures = await figuresOf(test.store, DAY);
  assertEquals(figures["outcome prefetch"], 1);
  assertEquals(figures["outcome repeat"], undefined);
  await counter.close();
});

Deno.test("a visitor is its address and its user agent, for one Spotlight", async () => {
  await using test = await openTestStore();
  const { counter, click, book } = startCounter(test);
  click(DAY);
  click(DAY, { address: "10.0.0.2" });
  click(DAY, { headers: { "user-agent": "Mozilla/5.0 (another)" } });
  click(OTHER_DAY);
  await book();
  assertEquals((await figuresOf(test.store, DAY))["outcome human"], 3);
  assertEquals((await figuresOf(test.store, OTHER_DAY))["outcome human"], 1);
  await counter.close();
});

Deno.test("a known repeat costs the store no read of its visitor", async () => {
  await using test = await openTestStore();
  const { counter, click, book } = startCounter(test);
  click(DAY);
  await book();
  click(DAY);
  await book();
  const commits = test.kv.commits.map(({ checks }) => checks.map(String));
  const named = commits.filter((checks) =>
    checks.some((key) => key.startsWith("click_visitors"))
  );
  assertEquals(named.length, 1);
  assertEquals((await figuresOf(test.store, DAY))["outcome repeat"], 1);
  await counter.close();
});

Deno.test("a visitor that was forgotten is looked up, and still a repeat", async () => {
  await using test = await openTestStore();
  const { counter, click, book } = startCounter(test, { rememberedMax: 1 });
  click(DAY, { address: "10.0.0.1" });
  click(DAY, { address: "10.0.0.2" });
  await book();
  click(DAY, { address: "10.0.0.1" });
  click(DAY, { address: "10.0.0.2" });
  await book();
  const figures = await figuresOf(test.store, DAY);
  assertEquals(figures["outcome human"], 2);
  assertEquals(figures["outcome repeat"], 2);
  await counter.close();
});

for (const kind of ["fail_after", "fail_before", "conflict"] as const) {
  Deno.test(`a commit that ends in ${kind} counts its clicks once`, async () => {
    await using test = await openTestStore({
      faults: [{ ...BOOKINGS, fault: { kind } }],
    });
    const { counter, click, book } = startCounter(test);
    click(DAY, { address: "10.0.0.1" });
    click(DAY, { address: "10.0.0.2", headers: { "user-agent": "" } });
    await book();
    await book();
    const figures = await figuresOf(test.store, DAY);
    assertEquals(figures["outcome human"], 1);
    assertEquals(figures["outcome no_user_agent"], 1);
    await counter.close();
  });
}

Deno.test("a commit that hangs and applies later counts its clicks once", async () => {
  const released = Promise.withResolvers<void>();
  await using test = await openTestStore({
    // Long enough for what does not hang, on a busy machine too.
    patience: { callMs: 300 },
    faults: [{ ...BOOKINGS, fault: { kind: "hold", until: released.promise } }],
  });
  const { counter, click, book } = startCounter(test);
  click(DAY);
  await book();
  assertEquals(await figuresOf(test.store, DAY), {});
  await book();
  released.resolve();
  await counter.close();
  assertEquals((await figuresOf(test.store, DAY))["outcome human"], 1);
  assertEquals(test.kv.commits.filter(({ applied }) => applied).length, 2);
});

Deno.test("clicks wait while the store is away, tried once a second, and it is told once", async () => {
  await using test = await openTestStore();
  const { counter, click, book, timer, log } = startCounter(test);
  click(DAY, { address: "10.0.0.1" });
  await book();
  const away: FaultRule = {
    on: "read",
    times: 6,
    fault: { kind: "fail_before" },
  };
  test.kv.inject(away);
  click(DAY, { address: "10.0.0.2" });
  for (let tries = 1; tries <= 6; tries++) {
    await book();
    assertEquals(timer.waiting, [BOOK_AGAIN_AFTER_MS], `try ${tries}`);
  }
  click(DAY, { address: "10.0.0.3" });
  await book();
  assertEquals((await figuresOf(test.store, DAY))["outcome human"], 3);
  assertEquals(log.events, ["clicks.held_up", "clicks.booked_again"]);
  await counter.close();
});

Deno.test("what waits for the store is bounded, and what is dropped is told", async () => {
  await using test = await openTestStore({
    faults: [{ ...BOOKINGS, times: 3, fault: { kind: "fail_before" } }],
  });
  const { counter, click, book, log } = startCounter(test, { waitingMax: 10 });
  for (let n = 1; n <= 8; n++) click(DAY, { address: `10.0.0.${n}` });
  await book();
  for (let n = 9; n <= 20; n++) click(DAY, { address: `10.0.0.${n}` });
  for (let n = 0; n < 4; n++) await book();
  const figures = await figuresOf(test.store, DAY);
  assertEquals(figures["outcome human"], 10);
  const dropped = log.lines.filter((line) => line.includes("clicks.dropped"));
  assertEquals(dropped.map((line) => JSON.parse(line).clicks), [10]);
  await counter.close();
});

Deno.test("a booking is given up after ten minutes, and that is told", async () => {
  await using test = await openTestStore({
    faults: [{ ...BOOKINGS, times: 99, fault: { kind: "fail_before" } }],
  });
  const { counter, click, book, log } = startCounter(test);
  click(DAY);
  await book();
  test.clock.advance(BOOKING_TRIED_MS + 1);
  await book();
  const lost = log.lines.find((line) => line.includes("clicks.lost"));
  assertEquals(JSON.parse(lost ?? "{}").clicks, 1);
  await counter.close();
});

Deno.test("a store that is away when the service stops costs the clicks, is told, and ends", async () => {
  await using test = await openTestStore({
    faults: [{ ...BOOKINGS, times: 99, fault: { kind: "fail_before" } }],
  });
  const { counter, click, log } = startCounter(test);
  for (let n = 1; n <= 12; n++) click(DAY, { address: `10.0.0.${n}` });
  await counter.close();
  const lost = log.lines.filter((line) => line.includes("clicks.lost"));
  assertEquals(lost.map((line) => JSON.parse(line).clicks), [12]);
});

Deno.test("clicks count until the figures are final, to the millisecond, and are dropped then", async () => {
  const nextSettledMs = Date.parse("2026-11-19T23:55:40.000Z");
  const finalMs = nextSettledMs + 48 * 3_600_000;
  await using test = await openTestStore();
  await settle(
    test.store,
    spotlight(OTHER_DAY),
    spotlight(DAY, { settledAtMs: nextSettledMs }),
  );
  const { counter, click, book } = startCounter(test);
  for (const [n, atMs] of [finalMs - 1, finalMs, finalMs + 1].entries()) {
    test.clock.set(atMs);
    click(OTHER_DAY, { address: `10.0.0.${n}` });
    click(OTHER_DAY, { headers: { "user-agent": "" } });
  }
  await book();
  const figures = await figuresOf(test.store, OTHER_DAY);
  assertEquals(figures["outcome human"], 1);
  assertEquals(figures["outcome no_user_agent"], 1);
  await counter.close();
});

Deno.test("a request whose token was not granted is not counted", async () => {
  await using test = await openTestStore();
  const { counter, book } = startCounter(test);
  const request = {
    method: "GET",
    headers: new Headers({ "user-agent": BROWSER }),
    address: "10.0.0.1",
    atMs: test.clock.now(),
  };
  counter.note(DAY, request, Promise.resolve(false));
  await book();
  assertEquals(await figuresOf(test.store, DAY), {});
  await counter.close();
});

Deno.test("close() counts what is still being admitted", async () => {
  await using test = await openTestStore();
  const { counter } = startCounter(test);
  const admission = Promise.withResolvers<boolean>();
  const headers = new Headers({ "user-agent": BROWSER });
  const atMs = test.clock.now();
  const request = { method: "GET", headers, address: "10.0.0.1", atMs };
  counter.note(DAY, request, admission.promise);
  const closed = counter.close();
  admission.resolve(true);
  await closed;
  assertEquals((await figuresOf(test.store, DAY))["outcome human"], 1);
});

Deno.test("a judge that fails loses the click, is told, and nothing else", async () => {
  await using test = await openTestStore();
  const { counter, click, book, log } = startCounter(test, {
    judge: {
      isBot: () => {
        throw new TypeError("a bug");
      },
      countryOf: () => null,
    },
  });
  click(DAY);
  click(DAY, { headers: { "user-agent": "" } });
  await book();
  assertEquals(await figuresOf(test.store, DAY), {
    "outcome no_user_agent": 1,
  });
  assertEquals(log.events, ["clicks.lost"]);
  await counter.close();
});

Deno.test("a salt that can't be read leaves the isolate one of its own", async () => {
  await using test = await openTestStore({
    faults: [{
      on: "read",
      key: keyOf("click_salts"),
      times: 1,
      fault: { kind: "fail_before" },
    }],
  });
  const { counter, click, book, log } = startCounter(test);
  click(DAY);
  click(DAY);
  await book();
  const figures = await figuresOf(test.store, DAY);
  assertEquals(figures["outcome human"], 1);
  assertEquals(figures["outcome repeat"], 1);
  assert(log.events.includes("clicks.salt_unread"));
  await counter.close();
});
