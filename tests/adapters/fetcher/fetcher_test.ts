import { assert, assertEquals, assertRejects } from "@std/assert";
import type { IncomingMessage, RequestListener } from "node:http";
import { FetchBusy, FetchRefused } from "../../../domain/fetching/fetcher.ts";
import { FAILURE_AFTER_MS } from "../../../adapters/fetcher/create_fetcher.ts";
import { systemConnector } from "../../../adapters/fetcher/exchange.ts";
import {
  DOCUMENT_POLICY,
  fetcherOf,
  PUBLIC_ADDRESS,
  resolvesTo,
  serveHttp,
} from "./fetch_world.ts";

const URL_TEXT = "https://client.example/client.json";

/** Answers this document. */
function document(
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  status = 200,
): RequestListener {
  return (_request, response) => {
    response.writeHead(status, {
      "content-type": "application/json",
      ...headers,
    });
    response.end(body);
  };
}

Deno.test("getJson() answers the document with type and freshness", async () => {
  const seen: IncomingMessage[] = [];
  await using server = await serveHttp((request, response) => {
    seen.push(request);
    response.writeHead(200, {
      "content-type": "Application/CIMD+json; charset=UTF-8",
      "cache-control": "public, max-age=600",
    });
    response.end('{"name":"ü"}');
  });
  const { fetcher, asked, log } = fetcherOf({ [PUBLIC_ADDRESS]: server });
  const url = "https://client.example/a/client.json?v=2";
  assertEquals(await fetcher.getJson(url, DOCUMENT_POLICY), {
    status: 200,
    contentType: "application/cimd+json; charset=utf-8",
    body: '{"name":"ü"}',
    maxAgeS: 600,
  });
  assertEquals(asked, [PUBLIC_ADDRESS]);
  assertEquals(log.lines, []);
  const [request] = seen;
  assertEquals(request?.url, "/a/client.json?v=2");
  assertEquals(request?.headers.host, "client.example");
  assertEquals(request?.headers.accept, "application/json");
  assertEquals(
    request?.headers["user-agent"],
    "Spotlight (+https://spotlight.example)",
  );
  assertEquals(request?.headers["accept-encoding"], "identity");
  assertEquals(request?.headers.cookie, undefined);
});

const FRESHNESS: [string | undefined, number | null][] = [
  [undefined, null],
  ["public", null],
  ["max-age=0", 0],
  ['Max-Age="60"', 60],
  ["s-maxage=5, max-age=7", 7],
  ["max-age=60, no-store", 0],
  ["no-cache", 0],
  ["max-age=-1", null],
  ["max-age=1e9", null],
];
for (const [header, expected] of FRESHNESS) {
  Deno.test(`getJson() reads ${header ?? "no Cache-Control"} as ${expected}`, async () => {
    await using server = await serveHttp(
      document("{}", header === undefined ? {} : { "cache-control": header }),
    );
    const { fetcher } = fetcherOf({ [PUBLIC_ADDRESS]: server });
    const { maxAgeS } = await fetcher.getJson(URL_TEXT, DOCUMENT_POLICY);
    assertEquals(maxAgeS, expected);
  });
}

Deno.test("getJson() takes a document of exactly the longest length", async () => {
  const body = JSON.stringify("x".repeat(DOCUMENT_POLICY.maxBytes - 2));
  await using server = await serveHttp(document(body));
  const { fetcher } = fetcherOf({ [PUBLIC_ADDRESS]: server });
  const answer = await fetcher.getJson(URL_TEXT, DOCUMENT_POLICY);
  assertEquals(answer.body, body);
});

/** Sends a part and then does something else than going on. */
function begins(then: "hang" | "drop", headers = {}): RequestListener {
  return (request, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers });
    response.write('{"a":1}', () => {
      if (then === "drop") request.socket.destroy();
    });
  };
}

const REFUSED: [string, string, RequestListener][] = [
  ["a redirect", "redirect", document("", { location: "/b" }, 302)],
  ["a permanent redirect", "redirect", document("{}", { location: "/" }, 308)],
  ["304", "redirect", document("", {}, 304)],
  ["201", "status", document("{}", {}, 201)],
  ["204", "status", document("", {}, 204)],
  ["404", "status", document("{}", {}, 404)],
  ["500", "status", document("{}", {}, 500)],
  ["HTML", "type", document("{}", { "content-type": "text/html" })],
  ["JSON as text", "type", document("{}", { "content-type": "text/json" })],
  ["another +json", "type", document("{}", { "content-type": "image/x+json" })],
  ["no type", "type", document("{}", { "content-type": "" })],
  ["6 KB", "size", document("x".repeat(6_000))],
  ["a byte too many", "size", document("x".repeat(5_121))],
  ["compression", "encoding", document("{}", { "content-encoding": "gzip" })],
  ["bytes that are no text", "text", document(new Uint8Array([34, 255, 34]))],
  ["a body that never ends", "timeout", begins("hang")],
  ["a body that breaks off", "connection", begins("drop")],
  [
    "a body shorter than it says",
    "connection",
    begins("drop", { "content-length": "100" }),
  ],
  ["no answer", "timeout", () => {}],
  [
    "a closed connection",
    "connection",
    (request) => request.socket.destroy(),
  ],
];
for (const [what, reason, listener] of REFUSED) {
  Deno.test(`D7: getJson() refuses ${what}`, async () => {
    await using server = await serveHttp(listener);
    const { fetcher, log } = fetcherOf({ [PUBLIC_ADDRESS]: server });
    const timeoutMs = reason === "timeout" ? 100 : DOCUMENT_POLICY.timeoutMs;
    const policy = { ...DOCUMENT_POLICY, timeoutMs };
    await assertRejects(() => fetcher.getJson(URL_TEXT, policy), FetchRefused);
    assertEquals(log.lines, [
      `{"event":"fetch.refused","host":"client.example","reason":"${reason}"}`,
    ]);
    assertEquals(server.connections, 1);
  });
}

Deno.test("D7: getJson() refuses 6 KB that come without a length", async () => {
  await using server = await serveHttp((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    for (let part = 0; part < 60; part++) response.write("x".repeat(100));
  });
  const { fetcher, log } = fetcherOf({ [PUBLIC_ADDRESS]: server });
  await assertRejects(
    () => fetcher.getJson(URL_TEXT, DOCUMENT_POLICY),
    FetchRefused,
  );
  assert(log.lines[0]?.includes('"reason":"size"'));
});

Deno.test("D7: getJson() counts every trickle against one limit", async () => {
  let timer: ReturnType<typeof setInterval> | undefined;
  await using server = await serveHttp((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    timer = setInterval(() => response.write(" "), 10);
  });
  const { fetcher, log } = fetcherOf({ [PUBLIC_ADDRESS]: server });
  const policy = { ...DOCUMENT_POLICY, timeoutMs: 100 };
  await assertRejects(() => fetcher.getJson(URL_TEXT, policy), FetchRefused);
  clearInterval(timer);
  assert(log.lines[0]?.includes('"reason":"timeout"'));
});

Deno.test("getJson() refuses a certificate for another name", async () => {
  await using server = await serveHttp(document("{}"));
  const { fetcher, log } = fetcherOf({ [PUBLIC_ADDRESS]: server });
  const url = "https://other.example/client.json";
  await assertRejects(
    () => fetcher.getJson(url, DOCUMENT_POLICY),
    FetchRefused,
  );
  assert(log.lines[0]?.includes('"reason":"connection"'));
});

Deno.test("getJson() refuses a certificate nobody vouches for", async () => {
  await using server = await serveHttp(document("{}"));
  const { fetcher } = fetcherOf({}, {
    connect: (secure, options) =>
      systemConnector(secure, {
        ...options,
        port: server.port,
        lookup: (_host, wanted, callback) => {
          const own = { address: "127.0.0.1", family: 4 };
          if (wanted.all) callback(null, [own]);
          else callback(null, own.address, own.family);
        },
      }),
  });
  await assertRejects(
    () => fetcher.getJson(URL_TEXT, DOCUMENT_POLICY),
    FetchRefused,
  );
  assertEquals(server.connections, 1);
});

Deno.test("getJson() takes an address with a port", async () => {
  await using server = await serveHttp(document("{}"));
  const { fetcher } = fetcherOf({ [PUBLIC_ADDRESS]: server });
  const url = "https://client.example:8443/client.json";
  const { status } = await fetcher.getJson(url, DOCUMENT_POLICY);
  assertEquals(status, 200);
});

Deno.test("D11: every no reads the same and takes the same second", async () => {
  await using server = await serveHttp(document("{}", {}, 404));
  const network = { [PUBLIC_ADDRESS]: server };
  const worlds = [
    fetcherOf(network),
    fetcherOf({}),
    fetcherOf(network, { resolve: resolvesTo("10.0.0.1") }),
    fetcherOf(network, { resolve: resolvesTo() }),
    fetcherOf(network, {
      resolve: () => Promise.reject(new Error("ENOTFOUND")),
    }),
  ];
  const texts = new Set<string>();
  for (const { fetcher, timing, log } of worlds) {
    const error = await assertRejects(
      () => fetcher.getJson(URL_TEXT, DOCUMENT_POLICY),
      FetchRefused,
    );
    texts.add(`${error.name} ${error.message} ${error.cause}`);
    assertEquals(timing.pauses, [FAILURE_AFTER_MS]);
    assertEquals(log.lines.length, 1);
  }
  assertEquals([...texts], [
    "FetchRefused Cannot fetch the document undefined",
  ]);
});

Deno.test("getJson() over the caps is busy, at once and before anything is looked up", async () => {
  let lookups = 0;
  const { fetcher, timing, log } = fetcherOf({}, {
    caps: { concurrent: 0, perSecond: 0 },
    resolve: () => {
      lookups += 1;
      return Promise.resolve([]);
    },
  });
  const busy = await assertRejects(
    () => fetcher.getJson(URL_TEXT, DOCUMENT_POLICY),
    FetchBusy,
  );
  assertEquals([busy.retryAfterS, timing.pauses, lookups], [1, [], 0]);
  assert(log.lines[0]?.includes("busy"));
});

Deno.test("D11: a no that took a while is kept back for the rest only", async () => {
  const world = fetcherOf({}, {
    resolve: () => {
      world.timing.atMs = 400;
      return Promise.reject(new Error("ENOTFOUND"));
    },
  });
  await assertRejects(() => world.fetcher.getJson(URL_TEXT, DOCUMENT_POLICY));
  assertEquals(world.timing.pauses, [FAILURE_AFTER_MS - 400]);
});

Deno.test("D11: a no is not kept back once the service stops", async () => {
  const stopping = new AbortController();
  stopping.abort();
  const world = fetcherOf({}, { stopping: stopping.signal });
  await assertRejects(
    () => world.fetcher.getJson(URL_TEXT, DOCUMENT_POLICY),
    FetchRefused,
  );
  assertEquals(world.timing.pauses, []);
  assertEquals(world.asked, []);
});

Deno.test("postJson() posts JSON and answers any status", async () => {
  await using server = await serveHttp(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const { method, headers } = request;
    response.writeHead(500, { "content-type": "application/json" });
    response.end(JSON.stringify({
      method,
      text,
      type: headers["content-type"],
      length: headers["content-length"],
    }));
  });
  const { fetcher } = fetcherOf({ [PUBLIC_ADDRESS]: server });
  const answer = await fetcher.postJson(
    "https://client.example/check",
    { name: "ü" },
    DOCUMENT_POLICY,
  );
  assertEquals(answer.status, 500);
  assertEquals(JSON.parse(answer.body), {
    method: "POST",
    text: '{"name":"ü"}',
    type: "application/json",
    length: "13",
  });
});

Deno.test("postJson() is refused at once, since we name its address", async () => {
  const { fetcher, timing } = fetcherOf({});
  await assertRejects(
    () => fetcher.postJson(URL_TEXT, {}, DOCUMENT_POLICY),
    FetchRefused,
  );
  assertEquals(timing.pauses, []);
});
