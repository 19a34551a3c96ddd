/** Messages to the address of a chat that the configuration names. */
import { assertEquals, assertRejects } from "@std/assert";
import type { IncomingMessage } from "node:http";
import { notifyOperators } from "../../../adapters/fetcher/notify_operators.ts";
import { serveHttp } from "./fetch_world.ts";

const MESSAGE = {
  body: '{"text":"The books differ"}',
  headers: { "content-type": "application/json" },
  timeoutMs: 10_000,
};

const opened = (stopping = new AbortController().signal) =>
  notifyOperators({ userAgent: "Spotlight (+https://ad.example)", stopping });

Deno.test("notifyOperators() reaches a chat in our own network, and follows no redirect", async () => {
  const seen: IncomingMessage[] = [];
  let text = "";
  await using chat = await serveHttp(async (request, response) => {
    seen.push(request);
    for await (const part of request) text += part;
    response.writeHead(302, { location: "/elsewhere" });
    response.end("moved");
  }, { tls: false });
  const url = `http://127.0.0.1:${chat.port}/hook`;
  assertEquals(await opened().notify(url, MESSAGE), 302);
  assertEquals([text, seen.length], [MESSAGE.body, 1]);
  assertEquals(seen[0]?.headers["content-type"], "application/json");
  assertEquals(
    seen[0]?.headers["user-agent"],
    "Spotlight (+https://ad.example)",
  );
});

Deno.test("notifyOperators() waits for no chat longer than its time, or than the service", async () => {
  const stopping = new AbortController();
  let ended = () => {};
  await using chat = await serveHttp(() => ended(), { tls: false });
  const url = `http://127.0.0.1:${chat.port}/hook`;
  await assertRejects(() =>
    opened().notify(url, { ...MESSAGE, timeoutMs: 20 })
  );
  // A request that has arrived is given up when the service stops.
  ended = () => stopping.abort();
  await assertRejects(() => opened(stopping.signal).notify(url, MESSAGE));
});
