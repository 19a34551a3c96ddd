import { assertEquals, assertStrictEquals } from "@std/assert";
import { endingOn } from "../../../routes/mcp/endpoint.ts";

/** A stream of one event that nobody ends, and whether it was cancelled. */
function endless() {
  const source = { isCancelled: false };
  const body = new ReadableStream({
    start: (controller) =>
      controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
    cancel() {
      source.isCancelled = true;
    },
  });
  const headers = { "content-type": "text/event-stream" };
  return { source, answer: new Response(body, { headers }) };
}

Deno.test("a stream ends when the service stops", async () => {
  const stopping = new AbortController();
  const { source, answer } = endless();
  const { body } = endingOn(stopping.signal, answer);
  const reader = body?.getReader();
  assertEquals((await reader?.read())?.done, false);
  const next = reader?.read();
  assertEquals(source.isCancelled, false);
  stopping.abort();
  assertEquals((await next)?.done, true);
  assertEquals(source.isCancelled, true);
});

Deno.test("a stream that begins while the service stops is empty", async () => {
  const { source, answer } = endless();
  const ended = endingOn(AbortSignal.abort(), answer);
  assertEquals([await ended.text(), source.isCancelled], ["", true]);
});

Deno.test("a stream whose reader has gone is let go", async () => {
  const stopping = new AbortController();
  const { source, answer } = endless();
  await endingOn(stopping.signal, answer).body?.cancel();
  assertEquals(source.isCancelled, true);
});

Deno.test("a stream that ends by itself ends, with its status and headers", async () => {
  const headers = { "content-type": "text/event-stream", "x-own": "1" };
  const answer = new Response("data: 1\n\n", { headers });
  const ended = endingOn(new AbortController().signal, answer);
  assertEquals(ended.headers.get("x-own"), "1");
  assertEquals(await ended.text(), "data: 1\n\n");
});

Deno.test("any other answer is given back as it is", () => {
  const answer = Response.json({});
  const { signal } = new AbortController();
  assertStrictEquals(endingOn(signal, answer), answer);
});
