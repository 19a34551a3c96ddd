import { assertEquals, assertRejects } from "@std/assert";
import { TemporaryFailure } from "../../../domain/failure.ts";
import { TurnedAway } from "../../../routes/http/authority.ts";
import { type BodySource, readBody } from "../../../routes/http/body.ts";
import { bodyWaits } from "../../../routes/http/body_waits.ts";
import { bodyOf } from "../../support/bindings.ts";
import { ManualTimer } from "../../support/timer.ts";

/** A request whose body begins and never ends. */
function endless(headers: Record<string, string>): Request {
  const body = new ReadableStream({
    type: "bytes",
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"q')),
  });
  return new Request("http://localhost/", { method: "POST", headers, body });
}

/** A time that stands still until it passes. */
function manualTime(timer: ManualTimer) {
  let now = 0;
  return {
    nowMs: () => now,
    startTimer: timer.start,
    pass() {
      now += 30_000;
      timer.fire();
    },
  };
}

function sent(chunks: readonly string[], headers = {}): Request {
  const body = new ReadableStream({
    type: "bytes",
    start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(new TextEncoder().encode(chunk));
      }
      controller.close();
    },
  });
  return new Request("http://localhost/", { method: "POST", headers, body });
}

for (const headers of [{ "content-length": "100" }, {}]) {
  const kind = Object.keys(headers).join() || "no length";
  Deno.test(`a body that never ends, with ${kind}, is cut off after 30 seconds`, async () => {
    const timer = new ManualTimer();
    const time = manualTime(timer);
    const waits = bodyWaits({ time });
    const body = readBody(bodyOf(endless(headers), waits), 4_096);
    assertEquals(timer.waiting, [30_000]);
    time.pass();
    assertEquals(await body, "cut_off");
  });

  Deno.test(`a body that never ends, with ${kind}, is given up when the service stops`, async () => {
    const timer = new ManualTimer();
    const stopping = new AbortController();
    const time = manualTime(timer);
    const waits = bodyWaits({ time, stopping: stopping.signal });
    const before = readBody(bodyOf(endless(headers), waits), 4_096);
    stopping.abort();
    const after = readBody(bodyOf(endless(headers), waits), 4_096);
    assertEquals(timer.waiting, [30_000, 1_000, 1_000]);
    time.pass();
    await assertRejects(() => before, TemporaryFailure);
    await assertRejects(() => after, TemporaryFailure);
  });
}

Deno.test("a body that has come is read, and nothing waits any more", async () => {
  const timer = new ManualTimer();
  const waits = bodyWaits({ time: manualTime(timer) });
  for (const headers of [{ "content-length": "2" }, {}]) {
    const whole = bodyOf(sent(["{", "}"], headers), waits);
    assertEquals(await readBody(whole, 2), new TextEncoder().encode("{}"));
    const longer = bodyOf(sent(["{", "}"], headers), waits);
    assertEquals(await readBody(longer, 1), "too_long");
  }
  assertEquals(timer.waiting, []);
});

Deno.test("the bodies of a service share a timer, also those that come one after the other, and a stop leaves none", async () => {
  const timer = new ManualTimer();
  const stopping = new AbortController();
  const time = manualTime(timer);
  const waits = bodyWaits({ time, stopping: stopping.signal });
  for (let n = 0; n < 3; n++) {
    await readBody(bodyOf(sent(["{", "}"]), waits), 2);
    assertEquals(timer.waiting, [30_000]);
  }
  stopping.abort();
  assertEquals(timer.waiting, [1_000]);
});

Deno.test("a body in many pieces is put together whole", async () => {
  const pieces = Array.from({ length: 500 }, (_, i) => `${i},`.repeat(10));
  const text = pieces.join("");
  const read = await readBody(bodyOf(sent(pieces)), text.length);
  assertEquals(new TextDecoder().decode(read as Uint8Array), text);
});

Deno.test("a body that is announced to be too long is not read at all", async () => {
  const request = sent(["{}"], { "content-length": "101" });
  assertEquals(await readBody(bodyOf(request), 100), "too_long");
  assertEquals(request.bodyUsed, false);
});

Deno.test("a request without a body has one without bytes", async () => {
  const request = new Request("http://localhost/", { method: "POST" });
  assertEquals(await readBody(bodyOf(request), 1), new Uint8Array());
});

Deno.test("the gates are passed again after a body that took 250 ms, and not after one that was there sooner", async () => {
  for (const [tookMs, passed] of [[249, 0], [250, 1], [29_999, 1]] as const) {
    let nowMs = 0;
    let passes = 0;
    const time = { nowMs: () => nowMs, startTimer: new ManualTimer().start };
    const source: BodySource = {
      ...bodyOf(sent(["{", "}"]), bodyWaits({ time })),
      get: () => [() => {
        passes++;
        return null;
      }],
    };
    const body = readBody(source, 2);
    nowMs += tookMs;
    assertEquals(await body, new TextEncoder().encode("{}"));
    assertEquals(passes, passed, `${tookMs} ms`);
  }
});

Deno.test("the gates are passed again where a body waits 250 ms for its turn, which it takes anew then", async () => {
  const cases:
    readonly (readonly [waits: readonly number[], passed: number])[] = [
      [[249], 0],
      [[250, 0], 1],
      [[900, 900], 2],
    ];
  for (const [waits, passed] of cases) {
    let nowMs = 0;
    let passes = 0;
    const turns: number[] = [];
    const time = { nowMs: () => nowMs, startTimer: new ManualTimer().start };
    const take = (_: string, bytes: number) => {
      turns.push(bytes);
      nowMs += waits[turns.length - 1] ?? NaN;
      return Promise.resolve();
    };
    const bodies = bodyWaits({ time, turns: { take } });
    const source: BodySource = {
      ...bodyOf(sent(["{", "}"]), bodies),
      get: () => [() => {
        passes++;
        return null;
      }],
    };
    assertEquals(await readBody(source, 2), new TextEncoder().encode("{}"));
    assertEquals([turns, passes], [waits.map(() => 2), passed]);
  }
});

Deno.test("of a body that was waited for nothing is told to whom a gate turns away", async () => {
  const timer = new ManualTimer();
  const time = manualTime(timer);
  const answer = new Response(null, { status: 303 });
  const source: BodySource = {
    ...bodyOf(endless({}), bodyWaits({ time })),
    get: () => [() => null, () => Promise.resolve(answer)],
  };
  const body = readBody(source, 2);
  time.pass();
  const thrown = await assertRejects(() => body, TurnedAway);
  assertEquals(thrown.answer, answer);
});
