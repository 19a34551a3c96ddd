/**
 * Whose request it is, is asked again once a body has come that was waited for,
 * at every route and for every tool: who was signed out or disconnected
 * meanwhile is told so, and nothing is done.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { KvLike } from "../../kv/kv_like.ts";
import {
  type AskedEverywhere,
  askedEverywhere,
  FORM_TYPE,
  JSON_TYPE,
  signOutEverywhere,
} from "../support/asked_everywhere.ts";
import type { Operation } from "../support/every_route.ts";
import { publishedSamples, sampleFor } from "../support/json_samples.ts";
import { rawStatus } from "../support/raw_http.ts";
import { stalled } from "../support/stalled_request.ts";
import { openTestKv } from "../support/test_kv.ts";
import { ManualTimer } from "../support/timer.ts";
import { until } from "../support/until.ts";

/** What asks nobody who they are. */
const PUBLIC: readonly string[] = [
  "site POST /api/v1/sandbox/rehearsals/:rehearsal/v1/agent/bids",
  "site POST /ask",
  "site POST /mcp",
  "site POST /report/:day",
  "site POST /sign-in",
  "site POST /sign-in/verify",
  "site POST /passkeys/sign-in",
  "site POST /passkeys/sign-in/options",
  "auth POST /oauth/token",
  "auth POST /oauth/register",
  "auth POST /webhooks/stripe",
  "docs_mcp POST /mcp",
];

/** Bodies that are taken, so that it is seen what would have been done. */
const TAKEN: Readonly<Record<string, string>> = {
  "POST /settings/mails": "results=yes",
  "PATCH /v1/agent/me": JSON.stringify({ company_name: "Another Bakery" }),
  "POST /v1/agent/creatives": JSON.stringify({
    headline: "Bread by bicycle",
    description: "Warm loaves at your door before eight, every day.",
    target_url: "https://bakery.example/",
  }),
};
/** What has to succeed in time, or the bodies would prove nothing. */
const SUCCESSES: readonly string[] = [
  ...Object.keys(TAKEN),
  "get_account",
  "list_connections",
  "list_passkeys",
];

/** A request whose body is on its way. */
interface Late {
  /** The route's name, or the tool's. */
  name: string;
  route: Operation;
  type: string;
  body: string;
}

interface World extends AsyncDisposable {
  everywhere: AskedEverywhere;
  kv: KvLike;
  /** How often it was asked what time it is, as when a body is begun to be read. */
  looks(): number;
  /** Time in which no body arrives. */
  wait(ms: number): void;
}

async function openWorld(): Promise<World> {
  const timer = new ManualTimer();
  let [nowMs, looks] = [0, 0];
  const bodyTime = {
    nowMs() {
      looks++;
      return nowMs;
    },
    startTimer: timer.start,
  };
  const kv = await openTestKv();
  const everywhere = await askedEverywhere({ bodyTime, kv });
  return {
    everywhere,
    kv,
    looks: () => looks,
    wait: (ms) => void (nowMs += ms),
    [Symbol.asyncDispose]: () => everywhere[Symbol.asyncDispose](),
  };
}

/** Begins a request, does something, and sends the rest 20 seconds later. */
async function answerTo(
  { everywhere, looks, wait }: World,
  { route, type, body }: Late,
  meanwhile: () => Promise<void>,
): Promise<string | null> {
  const begun = [
    "MCP-Protocol-Version: 2025-11-25",
    `Content-Length: ${body.length}`,
    "",
    body.slice(0, 1),
  ];
  const before = looks();
  await using asked = await stalled(
    everywhere,
    route,
    type,
    begun.join("\r\n"),
  );
  const waits = await asked.until(() => looks() > before);
  // It reads no body, or none of this type.
  if (waits === "answered") return null;
  await meanwhile();
  wait(20_000);
  await asked.send(body.slice(1));
  return await asked.answer();
}

/**
 * Every route with a body, in both types, and every tool; but for what opens
 * with the operator's key, which lasts as long as the process.
 */
async function everyLate({ everywhere }: World): Promise<Late[]> {
  const published = await publishedSamples(everywhere);
  const routes = everywhere.changing
    .filter(({ path }) => !path.startsWith("/operator/v1/"))
    .flatMap((route): Late[] => {
      const { name } = route;
      const json = JSON.stringify(sampleFor(route, published) ?? { a: 1 });
      return [
        { name, route, type: JSON_TYPE, body: TAKEN[name] ?? json },
        { name, route, type: FORM_TYPE, body: TAKEN[name] ?? "name=Another" },
      ];
    });
  const tools = (await everywhere.tools()).map(({ server, name }): Late => {
    const params = { name, arguments: {} };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const body = JSON.stringify(call);
    return { name, route: server, type: JSON_TYPE, body };
  });
  return [...routes, ...tools];
}

function surfaceOf({ route: { host, name } }: Late): string {
  return `${host} ${name}`;
}

/** Whether an answer is the one of a surface to who may not ask. */
function isTurnedAway(answer: string): boolean {
  const status = rawStatus(answer);
  return status === 401 || /^location: \/sign-in(\?|\r?$)/mi.test(answer) ||
    // What scripts of our pages are told.
    status === 403 && answer.includes("Please sign in again");
}

/**
 * What changes by itself: buckets, from which refused requests take, and the row
 * that the service writes to see whether the store takes it.
 */
const RESTLESS: ReadonlySet<unknown> = new Set(["rate_buckets", "store_probe"]);

/** Whether nothing is under way of what an earlier request had asked for. */
async function isAtRest(kv: KvLike): Promise<boolean> {
  const rows = await rowsOf(kv);
  return !rows.some((row) =>
    /^\["(?:due_data_requests|waiting_mails)"/.test(row)
  );
}

/** All else that is stored. */
async function rowsOf(kv: KvLike): Promise<string[]> {
  const rows: string[] = [];
  for await (const { key, versionstamp } of kv.list({ prefix: [] })) {
    if (RESTLESS.has(key[0])) continue;
    rows.push(`${JSON.stringify(key)} ${versionstamp}`);
  }
  return rows;
}

Deno.test("who is signed out or disconnected while their body is on its way is told so, and nothing is done, at every route and for every tool", async () => {
  await using world = await openWorld();
  const asPublic = new Set<string>();
  for (const late of await everyLate(world)) {
    let before: string[] = [];
    const answer = await answerTo(world, late, async () => {
      await signOutEverywhere(world.everywhere);
      await until(() => isAtRest(world.kv));
      before = await rowsOf(world.kv);
    });
    if (answer === null) continue;
    if (PUBLIC.includes(surfaceOf(late))) {
      asPublic.add(surfaceOf(late));
      assert(!isTurnedAway(answer), `${late.name}: ${answer}`);
    } else {
      assert(isTurnedAway(answer), `${late.name}: ${answer}`);
      assertEquals(await rowsOf(world.kv), before, late.name);
    }
  }
  assertEquals([...asPublic].toSorted(), PUBLIC.toSorted());
});

Deno.test("who still may is answered when their body was long on its way, at every route and for every tool", async () => {
  await using world = await openWorld();
  const successes = new Set<string>();
  for (const late of await everyLate(world)) {
    const answer = await answerTo(world, late, () => Promise.resolve());
    if (answer === null) continue;
    assert(!isTurnedAway(answer), `${late.name}: ${answer}`);
    const isError = answer.includes('"isError":true');
    if (rawStatus(answer) < 400 && !isError) successes.add(late.name);
  }
  for (const name of SUCCESSES) assert(successes.has(name), name);
});
