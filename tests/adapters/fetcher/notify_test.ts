/** Messages to receivers that strangers name, hostile ones too. */
import { assertEquals, assertRejects } from "@std/assert";
import type { IncomingMessage } from "node:http";
import { FetchRefused } from "../../../domain/fetching/fetcher.ts";
import {
  fetcherOf,
  PUBLIC_ADDRESS,
  resolvesTo,
  serveHttp,
} from "./fetch_world.ts";

const URL_TEXT = "https://client.example/hooks";
const MESSAGE = {
  body: '{"type":"bid.won"}',
  headers: { "webhook-id": "evt_1" },
  timeoutMs: 2_000,
};

Deno.test("notify() posts the message with its headers, and answers any status", async () => {
  const seen: IncomingMessage[] = [];
  let text = "";
  await using server = await serveHttp(async (request, response) => {
    seen.push(request);
    for await (const part of request) text += part;
    response.writeHead(418, { "content-type": "text/html" });
    response.end("<p>anything");
  });
  const { fetcher } = fetcherOf({ [PUBLIC_ADDRESS]: server });
  assertEquals(await fetcher.notify(URL_TEXT, MESSAGE), 418);
  assertEquals([text, seen[0]?.method], [MESSAGE.body, "POST"]);
  assertEquals(seen[0]?.headers["webhook-id"], "evt_1");
  assertEquals(seen[0]?.headers["content-type"], "application/json");
});

Deno.test("notify() reads nothing of an answer without an end", async () => {
  let isClosed = false;
  await using server = await serveHttp((_request, response) => {
    response.on("close", () => isClosed = true);
    response.writeHead(200);
    const more = () => {
      if (!isClosed) response.write("x".repeat(65_536), more);
    };
    more();
  });
  const { fetcher } = fetcherOf({ [PUBLIC_ADDRESS]: server });
  assertEquals(await fetcher.notify(URL_TEXT, MESSAGE), 200);
});

Deno.test("notify() follows no redirect into our own network", async () => {
  await using inside = await serveHttp((_request, response) => {
    response.end();
  });
  await using server = await serveHttp((_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${inside.port}/` });
    response.end();
  });
  const { fetcher, asked } = fetcherOf({ [PUBLIC_ADDRESS]: server });
  assertEquals(await fetcher.notify(URL_TEXT, MESSAGE), 307);
  assertEquals(asked, [PUBLIC_ADDRESS]);
  assertEquals(inside.connections, 0);
});

Deno.test("notify() gives up a receiver that says nothing", async () => {
  await using server = await serveHttp(() => {});
  const { fetcher } = fetcherOf({ [PUBLIC_ADDRESS]: server });
  const message = { ...MESSAGE, timeoutMs: 100 };
  await assertRejects(() => fetcher.notify(URL_TEXT, message), FetchRefused);
});

Deno.test("notify() connects to nothing in our own network, whatever a name resolves to", async () => {
  for (
    const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "fd00::1"]
  ) {
    const world = fetcherOf({}, { resolve: resolvesTo(address) });
    await assertRejects(
      () => world.fetcher.notify(URL_TEXT, MESSAGE),
      FetchRefused,
    );
    assertEquals(world.asked, []);
  }
});

Deno.test("messages and documents do not use up each other's places", async () => {
  await using server = await serveHttp((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end("{}");
  });
  const { fetcher } = fetcherOf({ [PUBLIC_ADDRESS]: server }, {
    caps: { concurrent: 1, perSecond: 1 },
  });
  const policy = { maxBytes: 9, timeoutMs: 2_000, accept: "*/*" };
  await fetcher.getJson(URL_TEXT, policy);
  assertEquals(await fetcher.notify(URL_TEXT, MESSAGE), 200);
  assertEquals(await fetcher.notify(URL_TEXT, MESSAGE), 200);
});
