/**
 * Bodies that stop in the middle, over sockets, at every route there is: all
 * are given up in time, and none holds up a stop of the service.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import {
  type AskedEverywhere,
  askedEverywhere,
  FORM_TYPE,
  JSON_TYPE,
  WITHOUT_BODY,
} from "../support/asked_everywhere.ts";
import type { Operation } from "../support/every_route.ts";
import { rawStatus } from "../support/raw_http.ts";
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
  await using everywhere = await askedEverywhere({ bodyTime });
  const unread: string[] = [];
  for (const route of everywhere.changing) {
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

interface Stalled extends AsyncDisposable {
  /** Waits for one of the two. */
  until(holds: () => boolean): Promise<"answered" | "holds">;
  /** The answer as far as the end of its body. */
  answer(): Promise<string>;
}

async function stalled(
  everywhere: AskedEverywhere,
  route: Operation,
  type: string,
  body: string,
): Promise<Stalled> {
  const head = await everywhere.headOf(route, type);
  const connection = await Deno.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(route.url).port),
  });
  await connection.write(
    new TextEncoder().encode(`${head.join("\r\n")}\r\n${body}`),
  );
  let text = "";
  let isOver = false;
  const reading = (async () => {
    const buffer = new Uint8Array(65_536);
    while (!isWhole(text)) {
      const count = await connection.read(buffer);
      if (count === null) break;
      text += new TextDecoder().decode(buffer.subarray(0, count));
    }
    isOver = true;
  })().catch(() => void (isOver = true));
  return {
    async until(holds) {
      for (;;) {
        if (holds()) return "holds";
        if (isOver) return "answered";
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    async answer() {
      await reading;
      return text;
    },
    async [Symbol.asyncDispose]() {
      connection.close();
      await reading;
    },
  };
}

/** Whether an answer has come whole, by the length it says or its last chunk. */
function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  if (/^transfer-encoding: chunked/mi.test(text.slice(0, end))) {
    return text.endsWith("0\r\n\r\n");
  }
  const length = /^content-length: (\d+)/mi.exec(text.slice(0, end))?.[1];
  const sent = new TextEncoder().encode(text.slice(end + 4)).byteLength;
  return sent >= Number(length ?? 0);
}
