/**
 * No text makes others wait: the largest bodies, queries and headers of all
 * that is odd, at every route and tool there is, hold up another request no
 * longer than plain letters of the same length do.
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
import { ManualClock } from "../support/clock.ts";
import type { Operation } from "../support/every_route.ts";
import {
  bodiesOf,
  crowdsOf,
  HOSTILE,
  HOSTILE_HEADERS,
  LETTERS,
  type MakeText,
  sampleOf,
} from "../support/hostile_texts.ts";
import { META, modernHeaders } from "../support/mcp_calls.ts";

/** How much longer others may wait than beside letters. */
const RATIO_MAX = 6;
/** No machine tells shorter waits from none. */
const NOTICED_MS = 3;
/** Rounds before a wait is believed. */
const ROUNDS = 6;

/** Long enough for every bucket to fill. */
const BETWEEN_MS = 61_000;

type Everywhere = AskedEverywhere & { clock: ManualClock };

/** What is sent to one operation at once. */
interface Load {
  name: string;
  requests(make: MakeText): Promise<readonly Request[]>;
}

/** The longest that somebody else waits for an answer meanwhile, ms. */
async function longestWait(
  everywhere: Everywhere,
  load: Load,
  make: MakeText,
): Promise<number> {
  everywhere.clock.advance(BETWEEN_MS);
  const requests = await load.requests(make);
  const other = `${everywhere.running.config.settings.baseUrl}/healthz`;
  let isOver = false;
  let longestMs = 0;
  const waiting = (async () => {
    while (!isOver) {
      const startMs = performance.now();
      await (await fetch(other)).body?.cancel();
      longestMs = Math.max(longestMs, performance.now() - startMs);
    }
  })();
  await Promise.all(requests.map(async (request) => {
    const answer = await fetch(request, { redirect: "manual" });
    await answer.body?.cancel();
    assert(answer.status < 500, `${load.name}: ${answer.status}`);
  }));
  isOver = true;
  await waiting;
  return longestMs;
}

/** What somebody else waits too long for, looked at again before it is told. */
async function slowKinds(
  everywhere: Everywhere,
  load: Load,
  kinds: Readonly<Record<string, MakeText>>,
): Promise<string[]> {
  const slow: string[] = [];
  everywhere.signInAgain();
  let plain = await longestWait(everywhere, load, LETTERS);
  for (const [kind, make] of Object.entries(kinds)) {
    const isSlow = (ms: number) => ms > RATIO_MAX * Math.max(plain, NOTICED_MS);
    let hostile = await longestWait(everywhere, load, make);
    for (let round = 1; round < ROUNDS && isSlow(hostile); round++) {
      const again = await longestWait(everywhere, load, make);
      hostile = Math.min(hostile, again);
      plain = Math.min(plain, await longestWait(everywhere, load, LETTERS));
    }
    if (!isSlow(hostile)) continue;
    slow.push(`${load.name} with ${kind}: ${hostile} ms, letters ${plain} ms`);
  }
  return slow;
}

const OAUTH_NAMES = [
  "client_assertion",
  "client_assertion_type",
  "client_id",
  "code",
  "code_challenge",
  "code_verifier",
  "grant_type",
  "redirect_uri",
  "refresh_token",
  "resource",
  "response_type",
  "scope",
  "state",
  "token",
];

/** Which parameters and fields a request is asked for, by watching it. */
async function namesAsked(request: Request): Promise<string[]> {
  const { get, getAll } = URLSearchParams.prototype;
  const names = new Set<string>();
  URLSearchParams.prototype.get = function (name) {
    names.add(name);
    return get.call(this, name);
  };
  URLSearchParams.prototype.getAll = function (name) {
    names.add(name);
    return getAll.call(this, name);
  };
  try {
    const answer = await fetch(request, { redirect: "manual" });
    await answer.body?.cancel();
  } finally {
    Object.assign(URLSearchParams.prototype, { get, getAll });
  }
  const isOauth = new URL(request.url).pathname.startsWith("/oauth/");
  return [...names, ...isOauth ? OAUTH_NAMES : []];
}

/** Encoded texts as long as a query or a form may be. */
function encoded(name: string, make: MakeText, length: number): string {
  let text = encodeURIComponent(make(length).toWellFormed());
  text = text.slice(0, length).replace(/%[0-9A-F]?$/, "");
  return `${name}=${text}`;
}

/** Longest query that is sent; a server takes heads of some ten KB. */
const QUERY_BYTES = 8_000;
const HEADER_BYTES = 8_000;
const FORM_BYTES = 16_000;

const HEADERS = [
  "accept",
  "accept-language",
  "api-version",
  "authorization",
  "cookie",
  "idempotency-key",
  "if-none-match",
  "origin",
  "range",
  "referer",
  "request-id",
  "user-agent",
  "x-forwarded-for",
];

/** The largest JSON body of a surface. */
function bytesOf({ path, host }: Operation): number {
  if (path.startsWith("/webhooks/")) return 256 * 1024;
  if (path.endsWith("/mcp")) return 65_536;
  if (path === "/ask") return 4_096;
  if (path === "/oauth/register") return 8_192;
  assert(host !== "docs_mcp");
  return 16_384;
}

const REJECTION = {
  policy_id: "misleading",
  message: "It says what is not so",
  remedy: "Say what is so",
};
/** Of all that operators decide about an account. */
const DECISION = { reason: "Asked for by mail", about: "rename_1" };

/** Bodies of JSON that is described nowhere but in the code. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  "POST /operator/v1/creatives/:id/approve": { advertiser: "Bakery" },
  "POST /operator/v1/creatives/:id/reject": REJECTION,
  "POST /operator/v1/creatives/:id/withdraw_approval": REJECTION,
  "POST /operator/v1/demo/seed": { days: 1, seed: 1 },
  "POST /operator/v1/demo/tokens": {
    account: "ada@example.com",
    scope: "account:read",
    mandate: null,
  },
  "POST /operator/v1/hold/release": { acknowledge: ["day 2026-11-19"] },
  "POST /operator/v1/spotlights/:day/refund": { note: "Asked for by mail" },
  "POST /operator/v1/spotlights/:day/remove": { reason: "It broke the law" },
  "POST /webhooks/stripe": { id: "evt_1", type: "x", data: { object: {} } },
  "POST /oauth/register": {
    client_name: "An agent",
    redirect_uris: ["http://127.0.0.1/callback"],
    grant_types: ["authorization_code"],
    scope: "account:read",
    application_type: "native",
  },
  "POST /passkeys/options": {},
  "POST /passkeys/sign-in/options": {},
  "POST /passkeys": {
    response: {
      id: "abcd",
      rawId: "abcd",
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: btoa('{"challenge":"abcd"}').replaceAll("=", ""),
        attestationObject: "abcd",
        transports: ["internal"],
      },
    },
  },
  "POST /passkeys/sign-in": {
    next: "/account",
    response: {
      id: "abcd",
      rawId: "abcd",
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: btoa('{"challenge":"abcd"}').replaceAll("=", ""),
        authenticatorData: "abcd",
        signature: "abcd",
        userHandle: "abcd",
      },
    },
  },
};

/** The load of a form, or of a GET: each of the names that it asks for. */
async function loadOfNames(
  everywhere: AskedEverywhere,
  operation: Operation,
): Promise<Load> {
  const { method, name, url } = operation;
  const isForm = method !== "GET";
  const requestWith = async (text: string) =>
    new Request(isForm || text === "" ? url : `${url}?${text}`, {
      method,
      headers: await everywhere.headersOf(operation, FORM_TYPE),
      ...isForm && { body: text },
    });
  const names = await namesAsked(await requestWith(isForm ? "x=1" : ""));
  return {
    name,
    requests: (make) =>
      Promise.all([...new Set([...names, "x"])].map((each) => {
        const length = isForm ? FORM_BYTES : QUERY_BYTES;
        return requestWith(encoded(each, make, length));
      })),
  };
}

/** The load of a GET whose headers are odd. */
function loadOfHeaders(
  everywhere: AskedEverywhere,
  operation: Operation,
): Load {
  return {
    name: `${operation.name}, headers`,
    requests: (make) =>
      Promise.all(HEADERS.map(async (header) => {
        const headers = await everywhere.headersOf(operation, JSON_TYPE);
        headers[header] = make(HEADER_BYTES).trim();
        return new Request(operation.url, { headers });
      })),
  };
}

/** Crowds of members come with one kind, as they hold no text. */
function jsonOf(sample: unknown, make: MakeText, bytes: number): string[] {
  const texts = bodiesOf(sample, make, bytes);
  return make === HOSTILE["digits"]
    ? [...texts, ...crowdsOf(sample, bytes)]
    : texts;
}

/** The load of an operation that takes JSON. */
function loadOfJson(
  everywhere: AskedEverywhere,
  operation: Operation,
  sample: unknown,
): Load {
  const { method, name, url } = operation;
  return {
    name,
    requests: (make) =>
      Promise.all(
        jsonOf(sample, make, bytesOf(operation)).map(async (body) =>
          new Request(url, {
            method,
            body,
            headers: await everywhere.headersOf(operation, JSON_TYPE),
          })
        ),
      ),
  };
}

/** The samples of the operations whose bodies are published. */
async function publishedSamples(
  { running }: AskedEverywhere,
): Promise<Map<string, unknown>> {
  const { baseUrl } = running.config.settings;
  const document = await (await fetch(`${baseUrl}/openapi.json`)).json();
  const samples = new Map<string, unknown>();
  for (const [path, methods] of Object.entries<Any>(document.paths)) {
    for (const [method, { requestBody }] of Object.entries<Any>(methods)) {
      const schema = requestBody?.content["application/json"]?.schema;
      if (schema === undefined) continue;
      const sample = sampleOf(schema, document.components.schemas);
      samples.set(shapeOf(`${method.toUpperCase()} ${path}`), sample);
    }
  }
  return samples;
}

// deno-lint-ignore no-explicit-any -- documents of somebody's own shape
type Any = any;

/** A name with its parameters called alike. */
function shapeOf(name: string): string {
  return name.replace(/:\w+|\{\w+\}/g, ":");
}

/** A service whose buckets are full again before each load. */
async function opened(): Promise<Everywhere> {
  const clock = new ManualClock();
  return Object.assign(await askedEverywhere({ clock }), { clock });
}

/** Whether an operation says that it wants a form. */
async function wantsForm(
  everywhere: AskedEverywhere,
  operation: Operation,
): Promise<boolean> {
  everywhere.signInAgain();
  const headers = await everywhere.headersOf(operation, JSON_TYPE);
  const { method, url } = operation;
  const answer = await fetch(url, { method, headers, body: "[]" });
  return (await answer.text()).includes(FORM_TYPE);
}

Deno.test("no query and no header makes others wait longer than letters do", async () => {
  await using everywhere = await opened();
  const reads = everywhere.operations.filter(({ method }) => method === "GET");
  const slow: string[] = [];
  const kinds = Object.entries(HOSTILE_HEADERS);
  for (const [nth, operation] of reads.entries()) {
    const load = await loadOfNames(everywhere, operation);
    slow.push(...await slowKinds(everywhere, load, HOSTILE));
    const headers = loadOfHeaders(everywhere, operation);
    // Routes share what reads headers, so each is tried with some kinds.
    const some = kinds.filter((_, i) => (nth + i) % kinds.length < 2);
    const those = Object.fromEntries(some);
    slow.push(...await slowKinds(everywhere, headers, those));
  }
  assertEquals(slow, []);
});

Deno.test("no body makes others wait longer than letters do", async () => {
  await using everywhere = await opened();
  const published = await publishedSamples(everywhere);
  const slow: string[] = [];
  const unknown: string[] = [];
  for (const operation of everywhere.changing) {
    const { name, path } = operation;
    if (WITHOUT_BODY.includes(name) || path.endsWith("/mcp")) continue;
    if (await wantsForm(everywhere, operation)) {
      const load = await loadOfNames(everywhere, operation);
      slow.push(...await slowKinds(everywhere, load, HOSTILE));
      continue;
    }
    const sample = path.startsWith("/operator/v1/accounts/")
      ? DECISION
      : SAMPLES[name] ?? published.get(shapeOf(name));
    if (sample === undefined) unknown.push(name);
    const load = loadOfJson(everywhere, operation, sample);
    slow.push(...await slowKinds(everywhere, load, HOSTILE));
  }
  assertEquals(unknown, []);
  assertEquals(slow, []);
});

Deno.test("no argument of a tool makes others wait longer than letters do", async () => {
  await using everywhere = await opened();
  const slow: string[] = [];
  for (const { server, name, inputSchema } of await everywhere.tools()) {
    const params = { name, arguments: sampleOf(inputSchema), _meta: META };
    const sample = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const told = modernHeaders("tools/call", params) as Record<string, string>;
    const load: Load = {
      name,
      requests: (make) =>
        Promise.all(
          jsonOf(params.arguments, make, bytesOf(server) - 600).map(
            async (given) => {
              const asked = JSON.parse(given);
              const body = {
                ...sample,
                params: { ...params, arguments: asked },
              };
              const headers = await everywhere.headersOf(server, JSON_TYPE);
              return new Request(server.url, {
                method: "POST",
                headers: { ...headers, ...told },
                body: JSON.stringify(body),
              });
            },
          ),
        ),
    };
    slow.push(...await slowKinds(everywhere, load, HOSTILE));
  }
  assertEquals(slow, []);
});
