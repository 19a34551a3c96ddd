import { assertEquals, assertRejects } from "@std/assert";
import { asset, HOUR } from "../../../routes/assets.ts";
import { renderPublic } from "../../../routes/errors/public_surface.ts";
import { eventLog } from "../../../routes/event_log.ts";
import {
  LARGE_FROM,
  largeBody,
  PIECE_BYTES,
  sharedBytes,
  STALLED_MS,
} from "../../../routes/http/large_body.ts";
import { type HostApp, routeTable } from "../../../routes/route_table.ts";
import { bindings } from "../../support/bindings.ts";
import { MemoryLines } from "../../support/captured_logs.ts";
import { ManualClock } from "../../support/clock.ts";

const BYTES = crypto.getRandomValues(new Uint8Array(2.5 * PIECE_BYTES));

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
  const pieces = await Array.fromAsync(largeBody(BYTES, timer));
  assertEquals(pieces.map(({ length }) => length), [
    PIECE_BYTES,
    PIECE_BYTES,
    PIECE_BYTES / 2,
  ]);
  assertEquals(await new Blob(pieces).bytes(), BYTES);
  assertEquals(waiting.size, 0);
});

Deno.test("largeBody() ends once nobody has taken a piece for half a minute", async () => {
  const { timer, waiting } = timers();
  const reader = largeBody(BYTES, timer).getReader();
  assertEquals(waiting.size, 0, "before a piece is asked for nothing is kept");
  await reader.read();
  await reader.read();
  assertEquals([...waiting.values()], [STALLED_MS]);
  for (const run of waiting.keys()) run();
  await assertRejects(() => reader.read(), Error, "The answer is not taken");
});

Deno.test("largeBody() leaves no timer to a reader who goes away", async () => {
  const { timer, waiting } = timers();
  const reader = largeBody(BYTES, timer).getReader();
  await reader.read();
  await reader.cancel();
  assertEquals(waiting.size, 0);
});

Deno.test("sharedBytes() encodes a text once a tag, and forgets those used longest ago", () => {
  const first = sharedBytes("é", '"first"');
  assertEquals(first, new TextEncoder().encode("é"));
  for (let nth = 0; nth < 63; nth++) sharedBytes("other", `"${nth}"`);
  assertEquals(sharedBytes("é", '"first"') === first, true);
  for (let nth = 63; nth < 127; nth++) sharedBytes("other", `"${nth}"`);
  assertEquals(sharedBytes("é", '"first"') === first, false);
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
