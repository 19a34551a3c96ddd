/**
 * No message to a tool server costs far more than its length: whatever crowd of
 * members and elements stands wherever the protocol has an object or a list.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import {
  MESSAGE_BYTES_MAX,
  MESSAGE_PARTS_MAX,
} from "../../routes/mcp/read_message.ts";
import {
  type AskedEverywhere,
  askedEverywhere,
  JSON_TYPE,
} from "../support/asked_everywhere.ts";
import { ManualClock } from "../support/clock.ts";
import type { Operation } from "../support/every_route.ts";
import {
  bodiesOf,
  crowdsOf,
  HOSTS,
  LETTERS,
} from "../support/hostile_texts.ts";
import { META, modernHeaders, type Params } from "../support/mcp_calls.ts";
import { stopwatch } from "../support/stopwatch.ts";

/** How much more than letters of the same length anything may cost. */
const RATIO_MAX = 4;
/** Below this a machine tells no cost from another. */
const NOTICED_MS = 1;
/** Rounds before a cost is believed. */
const ROUNDS = 12;
/** Long enough for every bucket to fill. */
const BETWEEN_MS = 1_000;

const CLIENT = {
  name: "client",
  version: "1",
  websiteUrl: "https://client.example/",
  icons: [{ src: "a:b", mimeType: "image/png", sizes: ["48x48"] }],
};
const CAPABILITIES = {
  experimental: { a: {} },
  extensions: { "a.example/b": {} },
  roots: { listChanged: true },
  sampling: { tools: {} },
  elicitation: { form: {} },
};
const WHOLE_META = {
  ...META,
  progressToken: "a",
  "io.modelcontextprotocol/clientInfo": CLIENT,
  "io.modelcontextprotocol/clientCapabilities": CAPABILITIES,
};

/** What a client may send, each object and list of it there. */
const MESSAGES: readonly [method: string, params: Params][] = [
  ["initialize", {
    protocolVersion: "2025-06-18",
    capabilities: CAPABILITIES,
    clientInfo: CLIENT,
  }],
  ["tools/call", { name: "search_docs", arguments: { query: "bid" } }],
  ["tools/list", { cursor: "a" }],
  ["prompts/get", { name: "read_spotlight", arguments: { day: "a" } }],
  ["resources/read", { uri: "spotlight://current" }],
  ["completion/complete", {
    ref: { type: "ref/prompt", name: "a" },
    argument: { name: "a", value: "b" },
    context: { arguments: { a: "b" } },
  }],
  ["sampling/createMessage", {
    messages: [{ role: "user", content: { type: "text", text: "a" } }],
  }],
  ["subscriptions/listen", {
    notifications: { resourceSubscriptions: ["a:b"] },
  }],
  ["notifications/progress", { progressToken: "a", progress: 1 }],
  ["of/nobody", { a: {} }],
];

/** A message, and the headers that it comes with. */
interface Sample {
  name: string;
  message: Params;
  headers: Record<string, string>;
}

const OLD = { "mcp-protocol-version": "2025-06-18" };

const SAMPLES: readonly Sample[] = [
  ...MESSAGES.flatMap(([method, params]): Sample[] => {
    const message = { jsonrpc: "2.0", id: 1, method, params };
    // What a client says of itself is read alike whatever it asks for.
    const _meta = method === "tools/list" ? WHOLE_META : META;
    const modern = { ...message, params: { ...params, _meta } };
    const headers = modernHeaders(method, params) as Record<string, string>;
    return [
      { name: `${method} of 2025`, message, headers: OLD },
      { name: `${method} of 2026`, message: modern, headers },
    ];
  }),
  ...[{ result: { a: {} } }, { error: { code: 1, message: "a", data: {} } }]
    .map((answer): Sample => ({
      name: `an answer, ${Object.keys(answer)}`,
      message: { jsonrpc: "2.0", id: 1, ...answer },
      headers: OLD,
    })),
];

type Everywhere = AskedEverywhere & { clock: ManualClock };

/** What an answer costs this process, ms: the least of some rounds. */
async function costOf(
  everywhere: Everywhere,
  server: Operation,
  { headers, body, rounds }: {
    headers: Record<string, string>;
    body: string;
    rounds: number;
  },
): Promise<number> {
  let leastMs = Infinity;
  for (let round = 0; round < rounds; round++) {
    everywhere.clock.advance(BETWEEN_MS);
    const own = await everywhere.headersOf(server, JSON_TYPE);
    const gone = new AbortController();
    const tookMs = stopwatch();
    const answer = await fetch(server.url, {
      method: "POST",
      headers: { ...own, ...headers },
      body,
      signal: gone.signal,
    });
    const isStream = answer.headers.get("content-type") === EVENTS;
    if (!isStream) await answer.arrayBuffer();
    leastMs = Math.min(leastMs, tookMs());
    if (isStream) gone.abort();
    assert(answer.status < 500, `${answer.status}`);
  }
  return leastMs;
}

const EVENTS = "text/event-stream";

/** What of a message costs too much, beside letters in its place. */
async function costly(
  everywhere: Everywhere,
  server: Operation,
  { name, message, headers }: Sample,
): Promise<string[]> {
  everywhere.signInAgain();
  const found: string[] = [];
  const bodies = [
    ...crowdsOf(message, MESSAGE_BYTES_MAX, MESSAGE_PARTS_MAX),
    ...bodiesOf(message, HOSTS, MESSAGE_BYTES_MAX),
  ];
  for (const body of bodies) {
    const [letters = ""] = bodiesOf(message, LETTERS, body.length);
    const plain = { headers, body: letters, rounds: 1 };
    let plainMs = await costOf(everywhere, server, plain);
    const isCostly = (ms: number) =>
      ms > RATIO_MAX * Math.max(plainMs, NOTICED_MS);
    let ms = await costOf(everywhere, server, { headers, body, rounds: 1 });
    for (let round = 1; round < ROUNDS && isCostly(ms); round++) {
      const again = { headers, body, rounds: 1 };
      ms = Math.min(ms, await costOf(everywhere, server, again));
      plainMs = Math.min(plainMs, await costOf(everywhere, server, plain));
    }
    if (!isCostly(ms)) continue;
    const begin = body.slice(0, 200);
    found.push(`${server.url} ${name}: ${ms} ms, ${plainMs} plain: ${begin}`);
  }
  return found;
}

Deno.test("no message to a tool server costs a multiple of a plain one of its size, whatever crowd is in it", async () => {
  const clock = new ManualClock();
  await using opened = await askedEverywhere({ clock });
  const everywhere = Object.assign(opened, { clock });
  const servers = everywhere.operations.filter(({ method, path }) =>
    method === "POST" && path.endsWith("/mcp")
  );
  assertEquals(servers.length, 3);
  const found: string[] = [];
  for (const server of servers) {
    for (const sample of SAMPLES) {
      found.push(...await costly(everywhere, server, sample));
    }
  }
  assertEquals(found, []);
});
