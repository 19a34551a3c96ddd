import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { asset, HOUR } from "../../../routes/assets.ts";
import { renderPublic } from "../../../routes/errors/public_surface.ts";
import { eventLog } from "../../../routes/event_log.ts";
import {
  largeBody,
  PIECE_BYTES,
  PIECES_AT_ONCE,
  piecesOf,
  STALLED_MS,
} from "../../../routes/http/large_body.ts";
import {
  LARGE_FROM,
  LargeAnswer,
  respond,
  respondJson,
  SharedText,
} from "../../../routes/http/respond.ts";
import { TooMuchUnsent } from "../../../routes/middleware/unsent_answers.ts";
import { type HostApp, routeTable } from "../../../routes/route_table.ts";
import { bindings } from "../../support/bindings.ts";
import { MemoryLines } from "../../support/captured_logs.ts";
import { ManualClock } from "../../support/clock.ts";

/** More than twice as many pieces as are handed over at once. */
const COUNT = 2 * PIECES_AT_ONCE + 1;
const BYTES = new Uint8Array((COUNT - 0.5) * PIECE_BYTES).map((_, at) => at);

/** Timers that run when they are told to. */
function timers() {
  const waiting = new Map<() => void, number>();
  return {
    waiting,
    timer: (run: () => void, ms: number) => {
      waiting.set(run, ms);
      return () => void waiting.delete(run);
    },
  };
}

Deno.test("largeBody() gives the bytes in pieces, and leaves no timer when it ends", async () => {
  const { timer, waiting } = timers();
  const pieces = await Array.fromAsync(largeBody(piecesOf(BYTES), timer));
  const whole = new Array(COUNT - 1).fill(PIECE_BYTES);
  assertEquals(pieces.map(({ length }) => length), [...whole, PIECE_BYTES / 2]);
  assertEquals(await new Blob(pieces).bytes(), BYTES);
  assertEquals(waiting.size, 0);
});

Deno.test("largeBody() ends once nobody has taken a piece for half a minute", async () => {
  const { timer, waiting } = timers();
  const reader = largeBody(piecesOf(BYTES), timer).getReader();
  assertEquals(waiting.size, 0, "before a piece is asked for nothing is kept");
  for (let nth = 0; nth < PIECES_AT_ONCE + 1; nth++) {
    await reader.read();
    assertEquals([...waiting.values()], [STALLED_MS]);
  }
  for (const run of waiting.keys()) run();
  await assertRejects(() => reader.read(), Error, "The answer is not taken");
});

Deno.test("largeBody() gives up who takes all of a few pieces but the last", async () => {
  const { timer, waiting } = timers();
  const few = piecesOf(BYTES).slice(0, PIECES_AT_ONCE);
  const reader = largeBody(few, timer).getReader();
  for (const _ of few.slice(1)) await reader.read();
  assertEquals([...waiting.values()], [STALLED_MS]);
  assertEquals((await reader.read()).value, few.at(-1));
  assertEquals(waiting.size, 0);
});

Deno.test("largeBody() leaves no timer to a reader who goes away", async () => {
  const { timer, waiting } = timers();
  const reader = largeBody(piecesOf(BYTES), timer).getReader();
  await reader.read();
  await reader.cancel();
  assertEquals(waiting.size, 0);
});

Deno.test("respond() counts what is large by its bytes, and a text that is shared by none", () => {
  const text = "é".repeat(LARGE_FROM);
  const ownOf = (answer: Response) =>
    answer instanceof LargeAnswer ? answer.ownBytes : null;
  assertEquals(ownOf(respond(text)), 2 * LARGE_FROM);
  assertEquals(ownOf(respond(text.slice(1))), null);
  assertEquals(ownOf(respond(BYTES)), BYTES.length);
  assertEquals(ownOf(respond(BYTES.subarray(0, LARGE_FROM - 1))), null);
  assertEquals(ownOf(respond(new SharedText(text))), 0);
  assertEquals(ownOf(respond(new SharedText("é"))), null);
  assertEquals(ownOf(respondJson([text])), 2 * LARGE_FROM + 4);
});

Deno.test("respondJson() keeps status and headers, and names JSON where nothing else is named", async () => {
  const init = { status: 201, headers: { "x-a": "b" } };
  for (const value of ["short", "long".repeat(LARGE_FROM)]) {
    const answer = respondJson(value, init);
    assertEquals(answer.status, 201);
    assertEquals(answer.headers.get("x-a"), "b");
    assertEquals(answer.headers.get("content-type"), "application/json");
    assertEquals(await answer.json(), value);
  }
  const named = respondJson({}, { headers: { "content-type": "text/json" } });
  assertEquals(named.headers.get("content-type"), "text/json");
});

/** A host with one text of so many characters. */
function hostOf(text: string): HostApp {
  const settings = {
    baseUrl: "https://spotlight.example",
    authUrl: "https://api.spotlight.example",
  };
  const log = eventLog(new MemoryLines(), new ManualClock());
  return routeTable({ settings, log }, [{
    prefix: "",
    routes: [asset("/large", "text/plain", text, HOUR)],
    answers: { refused: renderPublic },
  }]);
}

const REQUEST = new Request("https://spotlight.example/large");

Deno.test("a large text that many ask for and nobody reads is kept once", async () => {
  const host = hostOf("é".repeat(LARGE_FROM));
  const buffers = new Set<ArrayBuffer>();
  for (let nth = 0; nth < 100; nth++) {
    const { body, headers } = await host.fetch(REQUEST, bindings());
    assertEquals(headers.get("content-length"), String(2 * LARGE_FROM));
    const reader = body?.getReader();
    const { value } = await reader?.read() ?? {};
    assertEquals(value?.length, PIECE_BYTES);
    if (value !== undefined) buffers.add(value.buffer);
    await reader?.cancel();
  }
  assertEquals(buffers.size, 1);
});

Deno.test("a text is the same whether it is sent whole or in pieces", async () => {
  for (const length of [LARGE_FROM - 1, LARGE_FROM, 5 * LARGE_FROM + 1]) {
    const text = "é".repeat(length);
    const answer = await hostOf(text).fetch(REQUEST, bindings());
    assertEquals(await answer.text() === text, true, String(length));
  }
});

Deno.test("a large answer, and no other, is counted before it goes out, and refused in its surface's shape", async () => {
  const counted: number[] = [];
  const env = {
    ...bindings(),
    hold: (ownBytes: number) => void counted.push(ownBytes),
  };
  await hostOf("é".repeat(LARGE_FROM)).fetch(REQUEST, env);
  await hostOf("é").fetch(REQUEST, env);
  assertEquals(counted, [0]);
  const refusing = {
    ...env,
    hold() {
      throw new TooMuchUnsent();
    },
  };
  const refused = await hostOf("é".repeat(LARGE_FROM)).fetch(REQUEST, refusing);
  assertEquals(refused.status, 503);
  assertEquals(refused.headers.get("retry-after"), "10");
  const { detail } = await refused.json();
  assertStringIncludes(detail, "too many long answers wait to be read");
  assertEquals((await hostOf("é").fetch(REQUEST, refusing)).status, 200);
});
