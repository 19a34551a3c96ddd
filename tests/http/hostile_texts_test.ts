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
  WITHOUT_FIELDS,
} from "../support/asked_everywhere.ts";
import { ManualClock } from "../support/clock.ts";
import type { Operation } from "../support/every_route.ts";
import {
  bytesOf,
  jsonOf,
  type Load,
  loadOfHeaders,
  loadOfJson,
  loadOfNames,
  loadOfPaths,
  loadOfWholes,
} from "../support/hostile_loads.ts";
import {
  HOSTILE,
  HOSTILE_FORMS,
  HOSTILE_HEADERS,
  HOSTILE_JSON,
  HOSTILE_PATHS,
  LETTERS,
  type MakeText,
  sampleOf,
} from "../support/hostile_texts.ts";
import { publishedSamples, sampleFor } from "../support/json_samples.ts";
import { META, modernHeaders } from "../support/mcp_calls.ts";
import { stopwatch } from "../support/stopwatch.ts";

/** How much longer others may wait than beside letters. */
const RATIO_MAX = 6;
/** No machine tells shorter waits from none. */
const NOTICED_MS = 3;
/** Rounds before a wait is believed. */
const ROUNDS = 24;

/** Long enough for every bucket to fill. */
const BETWEEN_MS = 61_000;

type Everywhere = AskedEverywhere & { clock: ManualClock };

/** The longest that somebody else waits for this process meanwhile, ms. */
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
      const waitedMs = stopwatch();
      await (await fetch(other)).body?.cancel();
      longestMs = Math.max(longestMs, waitedMs());
    }
  })();
  await Promise.all(requests.map(async (request) => {
    const answer = await fetch(request, { redirect: "manual" });
    await answer.body?.cancel();
    // Of an account's copies one is read at a time: others are told to wait.
    const isInTurn = answer.status === 503 && load.name.includes("/exports/");
    assert(answer.status < 500 || isInTurn, `${load.name}: ${answer.status}`);
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

/** Two of the kinds, others for each route: what they share is tried with all. */
function someOf(
  kinds: Readonly<Record<string, MakeText>>,
  nth: number,
): Record<string, MakeText> {
  const all = Object.entries(kinds);
  return Object.fromEntries(all.filter((_, i) => (nth + i) % all.length < 2));
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
  for (const [nth, operation] of reads.entries()) {
    const load = await loadOfNames(everywhere, operation);
    // What asks for none has its query taken apart as all others have.
    const kinds = load.names.length > 0 ? HOSTILE : someOf(HOSTILE, nth);
    slow.push(...await slowKinds(everywhere, load, kinds));
    // Routes share what reads headers, too.
    const headers = loadOfHeaders(everywhere, operation);
    const some = someOf(HOSTILE_HEADERS, nth);
    slow.push(...await slowKinds(everywhere, headers, some));
  }
  assertEquals(slow, []);
});

Deno.test("no path and no query as a whole makes others wait longer than letters do", async () => {
  await using everywhere = await opened();
  const { baseUrl, authUrl, docsMcpUrl } = everywhere.running.config.settings;
  const slow: string[] = [];
  for (const url of [baseUrl, authUrl, docsMcpUrl]) {
    const load = loadOfPaths(new URL(url).origin);
    slow.push(...await slowKinds(everywhere, load, HOSTILE_PATHS));
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
    if (
      [...WITHOUT_BODY, ...WITHOUT_FIELDS].includes(name) ||
      path.endsWith("/mcp")
    ) continue;
    if (await wantsForm(everywhere, operation)) {
      const load = await loadOfNames(everywhere, operation);
      slow.push(...await slowKinds(everywhere, load, HOSTILE));
      continue;
    }
    const sample = sampleFor(operation, published);
    if (sample === undefined) unknown.push(name);
    const load = loadOfJson(everywhere, operation, sample);
    slow.push(...await slowKinds(everywhere, load, HOSTILE));
  }
  assertEquals(unknown, []);
  assertEquals(slow, []);
});

Deno.test("no body makes others wait longer than letters do for what it is as a whole", async () => {
  await using everywhere = await opened();
  const slow: string[] = [];
  for (const operation of everywhere.changing) {
    if (WITHOUT_BODY.includes(operation.name)) continue;
    const json = loadOfWholes(everywhere, operation, JSON_TYPE);
    slow.push(...await slowKinds(everywhere, json, HOSTILE_JSON));
    const form = loadOfWholes(everywhere, operation, FORM_TYPE);
    slow.push(...await slowKinds(everywhere, form, HOSTILE_FORMS));
  }
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
