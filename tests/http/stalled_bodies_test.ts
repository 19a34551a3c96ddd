/**
 * Bodies that stop in the middle, over sockets, at every route there is: all
 * are given up in time, and none holds up a stop of the service.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import {
  askedEverywhere,
  FORM_TYPE,
  JSON_TYPE,
  WITHOUT_BODY,
} from "../support/asked_everywhere.ts";
import { rawStatus } from "../support/raw_http.ts";
import { type Stalled, stalled } from "../support/stalled_request.ts";
import { ManualClock } from "../support/clock.ts";
import { ManualTimer } from "../support/timer.ts";

/** A body that says it is longer than it is. */
const STALLED = {
  announced: 'Content-Length: 1000\r\n\r\n{"a',
  chunked: 'Transfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n',
};

Deno.test("a body that stops is 400 after 30 seconds at every route that reads one", async () => {
  const timer = new ManualTimer();
  let nowMs = 0;
  const bodyTime = { nowMs: () => nowMs, startTimer: timer.start };
  const clock = new ManualClock();
  await using everywhere = await askedEverywhere({ bodyTime, clock });
  const unread: string[] = [];
  for (const route of everywhere.changing) {
    // What comes after an empty bucket is not read.
    clock.advance(60_000);
    everywhere.signInAgain();
    let reads = 0;
    for (const type of [JSON_TYPE, FORM_TYPE]) {
      for (const body of Object.values(STALLED)) {
        await using asked = await stalled(everywhere, route, type, body);
        const waits = asked.until(() => timer.waiting.length > 0);
        if (await waits === "answered") continue;
        reads++;
        assertEquals(timer.waiting, [30_000], route.name);
        nowMs += 30_000;
        timer.fire();
        const answer = await asked.answer();
        assertEquals(rawStatus(answer), 400, `${route.name}: ${answer}`);
        assert(/^connection: close\r$/mi.test(answer), answer);
      }
    }
    if (reads === 0) unread.push(route.name);
  }
  assertEquals(unread.toSorted(), WITHOUT_BODY.toSorted());
});

Deno.test("bodies that stop do not hold up a stop of the service", async () => {
  await using everywhere = await askedEverywhere({ graceMs: 10_000 });
  const { running } = everywhere;
  const stalls: Stalled[] = [];
  for (const route of everywhere.changing) {
    for (const type of [JSON_TYPE, FORM_TYPE]) {
      for (const body of Object.values(STALLED)) {
        stalls.push(await stalled(everywhere, route, type, body));
      }
    }
  }
  const startMs = performance.now();
  await running.service.stop();
  const tookMs = performance.now() - startMs;
  assert(tookMs < 5_000, `the stop took ${tookMs} ms`);
  const answers = await Promise.all(stalls.map((each) => each.answer()));
  const ended = answers.filter((answer) => rawStatus(answer) === 503);
  assert(ended.length >= 50, `${ended.length} were given up`);
  for (const each of stalls) await each[Symbol.asyncDispose]();
});

Deno.test("a body that is announced to be too long is refused before it is sent", async () => {
  await using everywhere = await askedEverywhere({ bodyTime: NEVER });
  for (const route of everywhere.changing) {
    for (const type of [JSON_TYPE, FORM_TYPE]) {
      const body = "Content-Length: 999999999\r\n\r\n";
      await using asked = await stalled(everywhere, route, type, body);
      const status = rawStatus(await asked.answer());
      assert(status >= 200 && status < 500, `${route.name}: ${status}`);
    }
  }
});

const NEVER = { nowMs: () => 0, startTimer: () => () => {} };
