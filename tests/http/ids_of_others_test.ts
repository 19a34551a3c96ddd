/**
 * Whose id it is, is asked at every route: what is another's is answered as
 * what never was, and stays as it is.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { jobs } from "../../cron/jobs.ts";
import { closeAuction } from "../../domain/settlement/close_auction.ts";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { settleDay } from "../../domain/settlement/settle_day.ts";
import { DAY_MS } from "../../domain/day.ts";
import { createGrant } from "../../tools/demo/create_grant.ts";
import { SCOPES } from "../../domain/oauth/grant.ts";
import { runJob } from "../../domain/operations/run_job.ts";
import type { Services } from "../../domain/ports.ts";
import {
  AUCTION_DAY,
  createAdvertiser,
  saveBid,
} from "../support/auction_world.ts";
import { cartOf, paymentOf } from "../support/checkout_calls.ts";
import { ManualClock } from "../support/clock.ts";
import {
  askFromAnywhere,
  type AskUrl,
  type Operation,
  operationsOf,
  signInAt,
} from "../support/every_route.ts";
import { type RunningService, runService } from "../support/running_service.ts";
import { startTestProcessor } from "../support/test_processor.ts";

/** Somebody with an agent and a browser. */
interface Person {
  token: string;
  cookie: string;
}

/** A day that Ada has won and Bob has lost; all that Ada has. */
interface World extends AsyncDisposable {
  running: RunningService;
  clock: ManualClock;
  ada: Person;
  bob: Person;
  ids: readonly string[];
  ask: AskUrl;
}

async function openWorld(): Promise<World> {
  const clock = new ManualClock(`${AUCTION_DAY}T12:00:00.000Z`);
  await using cleanup = new AsyncDisposableStack();
  const { simulator, env } = await startTestProcessor(clock);
  cleanup.defer(() => simulator.stop());
  const running = cleanup.use(
    await runService({ clock, env: { ...env, TRUSTED_PROXY_HOPS: "1" } }),
  );
  const ask = askFromAnywhere();
  const { services } = running.service.core;
  const bidId = await settleForAda(services);
  const ada = await personOf(running, ask, "ada");
  const bob = await personOf(running, ask, "bob");
  const ids = [
    bidId,
    await sessionOf(running, ask, ada),
    ...await idsOf(running, ask, ada),
  ];
  const kept = cleanup.move();
  return {
    running,
    clock,
    ada,
    bob,
    ids,
    ask,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Answers the id of the bid that won. */
async function settleForAda(services: Services): Promise<string> {
  const day = AUCTION_DAY;
  const ada = await createAdvertiser(services, "ada", "pm_card_visa");
  const bob = await createAdvertiser(services, "bob", "pm_card_visa");
  const { id } = await saveBid(services, ada, 5_000, day);
  await saveBid(services, bob, 4_000, day);
  await openAuction(services, { day });
  await closeAuction(services, { day });
  await settleDay(services, { day });
  for (const job of jobs) await runJob(services, job);
  return id;
}

async function personOf(
  running: RunningService,
  ask: AskUrl,
  name: string,
): Promise<Person> {
  const { services } = running.service.core;
  const { accessToken } = await createGrant(services, {
    accountId: `acc_${name}`,
    clientId: "https://agent.example/client.json",
    scopes: SCOPES.filter((scope) => !scope.startsWith("affiliate:")),
    mandate: {
      maxBidCents: 10_000,
      dailyCapCents: 10_000,
      validUntilMs: services.clock.now() + DAY_MS,
    },
  });
  const cookie = await signInAt(running, ask, `${name}@example.com`);
  return { token: accessToken, cookie };
}

async function sessionOf(
  { config }: RunningService,
  ask: AskUrl,
  { token }: Person,
): Promise<string> {
  const answer = await ask(`${config.settings.baseUrl}/checkout_sessions`, {
    method: "POST",
    headers: headersOf({ token, cookie: "" }, "session-1"),
    body: JSON.stringify(cartOf(AUCTION_DAY)),
  });
  const { id } = await answer.json();
  return id;
}

/** What the lists of the agent API name. */
async function idsOf(
  { config }: RunningService,
  ask: AskUrl,
  person: Person,
): Promise<string[]> {
  const lists = ["creatives", "payment_methods", "connections", "invoices"];
  const found = new Set<string>();
  for (const list of lists) {
    const answer = await ask(`${config.settings.authUrl}/v1/agent/${list}`, {
      headers: headersOf(person),
    });
    const { items } = await answer.json();
    const [item] = items;
    found.add(item.ad_id ?? item.id ?? item.grant_id ?? item.number);
  }
  return [...found];
}

function headersOf(
  { token, cookie }: Person,
  key = "key-1",
): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    cookie,
    accept: "*/*",
    "api-version": "2026-04-17",
    "content-type": "application/json",
    "idempotency-key": key,
  };
}

/** What a person is answered at an operation about an id. */
async function answerTo(
  { running, clock, ask }: World,
  person: Person,
  operation: Operation,
  id: string,
): Promise<{ status: number; text: string }> {
  // So that no bucket is empty: of copies ten a minute may be read.
  clock.advance(operation.path.includes("/exports/") ? 6_000 : 500);
  const { method, url, path, host } = operation;
  const isForm = host === "site" && !path.startsWith("/checkout_sessions");
  const headers = headersOf(person, `${id} ${path}`.replaceAll(/[^!-~]/g, "-"));
  headers.origin = running.config.settings.baseUrl;
  if (isForm) headers["content-type"] = "application/x-www-form-urlencoded";
  const answer = await ask(url.replaceAll("(id)", id), {
    method,
    headers,
    ...method === "GET" || method === "DELETE" ? {} : {
      body: isForm ? formOf(id) : JSON.stringify(bodyOf(operation)),
    },
  });
  const text = await answer.text();
  return { status: answer.status, text: text.replaceAll(id, "(id)") };
}

/** A form that has whatever forms of the site ask for. */
function formOf(id: string): URLSearchParams {
  return new URLSearchParams({
    card: id,
    passkey: id,
    name: "Of somebody else",
    headline: "Of somebody else",
    description: "Of somebody else",
    target_url: "https://bob.example/",
  });
}

function bodyOf({ method, path }: Operation): unknown {
  if (path.endsWith("/complete")) return paymentOf("spt_test_of_bob");
  if (path.startsWith("/checkout_sessions")) {
    const { line_items } = cartOf(AUCTION_DAY);
    return path.endsWith("/cancel") ? {} : { line_items };
  }
  return method === "PATCH" ? { headline: "Of somebody else" } : undefined;
}

/** The same id but for its last letter. */
function unknownLike(id: string): string {
  return id.slice(0, -1) + (id.endsWith("0") ? "1" : "0");
}

/** What Ada is answered about her own ids, where it is a success. */
async function successesOf(
  world: World,
  operations: readonly Operation[],
): Promise<Map<string, string>> {
  const successes = new Map<string, string>();
  for (const operation of operations) {
    for (const id of world.ids) {
      const { status, text } = await answerTo(world, world.ada, operation, id);
      if (status < 400) successes.set(operation.name, text);
    }
  }
  return successes;
}

/** What has to succeed for Ada, or these ids and bodies would prove nothing. */
const READS = [
  "GET /checkout_sessions/:id",
  "GET /creatives/:id",
  "GET /creatives/:id/edit",
  "GET /invoices/:number/pdf",
  "GET /v1/agent/bids/:id",
  "GET /v1/agent/creatives/:id",
  "GET /v1/agent/invoices/:number",
  "GET /v1/agent/invoices/:number/pdf",
];
const CHANGES = [
  "POST /checkout_sessions/:id",
  "POST /checkout_sessions/:id/cancel",
  "PATCH /v1/agent/creatives/:id",
  "POST /creatives/:id/edit",
  "POST /v1/agent/creatives/:id/archive",
  "POST /v1/agent/payment_methods/:id/default",
  "POST /billing/default",
  "DELETE /v1/agent/payment_methods/:id",
];

Deno.test("no route tells an id of another's from one that never was, nor changes what it is of", async () => {
  await using world = await openWorld();
  const operations = operationsOf(world.running, "(id)").filter(({ path }) =>
    // A rehearsal is nobody's: whoever knows its name takes part.
    !path.includes("/:rehearsal/") &&
    (/:(?!day)/.test(path) || /^\/(billing|account\/passkeys)\//.test(path))
  );
  const reads = operations.filter(({ method }) => method === "GET");
  const before = await successesOf(world, reads);
  for (const name of READS) assert(before.has(name), name);
  for (const operation of operations) {
    for (const id of world.ids) {
      const [asked, unknown] = [
        await answerTo(world, world.bob, operation, id),
        await answerTo(world, world.bob, operation, unknownLike(id)),
      ];
      assertEquals(asked, unknown, `${operation.name} ${id}`);
    }
  }
  assertEquals(await successesOf(world, reads), before);
  for (const name of CHANGES) {
    const named = operations.filter((operation) => operation.name === name);
    assert((await successesOf(world, named)).has(name), name);
  }
});
