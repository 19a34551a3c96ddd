/**
 * What several processes over one store are held to, however many they are.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { addDays, type Day, dayOf } from "../../domain/day.ts";
import type { Services } from "../../domain/ports.ts";
import { createGrant } from "../../tools/demo/create_grant.ts";
import { createAdvertiser } from "./auction_world.ts";
import { seen } from "./captured_logs.ts";
import {
  type ChildService,
  type SharedService,
  shareService,
} from "./processes.ts";
import { IS_FAULTY } from "./test_kv.ts";

/** Raises of an advertiser that come before the auction closes. */
const RAISES_MAX = 110;

const SCOPES = ["account:read", "bids:read", "bids:write"] as const;

interface Agent {
  accountId: string;
  adId: string;
  token: string;
}

/** So many processes, started side by side. */
function startAll(
  shared: SharedService,
  count: number,
  options: { jobsEveryMs?: number } = {},
): Promise<ChildService[]> {
  return Promise.all(
    Array.from({ length: count }, () => shared.start(options)),
  );
}

/** Empties a bucket through all processes, and sees that nothing more is given. */
export async function neverAdmitMore(count: number): Promise<void> {
  await using shared = await shareService();
  const children = await startAll(shared, count);
  const began = Date.now();
  const answers = { 200: 0, 429: 0, 503: 0 };
  const hammer = async ({ baseUrl }: ChildService) => {
    // Until it is empty; then for as long as a bucket would need to give more.
    while (answers[429] === 0 || Date.now() - began < 3_000) {
      const { status, body } = await seen.fetch(`${baseUrl}/api/v1/sandbox`);
      await body?.cancel();
      assert(
        status === 200 || status === 429 || IS_FAULTY && status === 503,
        `${status}`,
      );
      answers[status] += 1;
    }
  };
  const hammers = Array.from({ length: 4 }, () => children).flat();
  await Promise.all(hammers.map(hammer));
  const elapsedS = (Date.now() - began) / 1000;
  const { 200: admitted } = answers;
  assert(admitted <= 120 + 2 * elapsedS, `${admitted} in ${elapsedS} s`);
  assert(admitted >= 120, `${admitted} admitted of at least 120`);
}

/** Bids for more than the cap of a day at once, through all processes. */
export async function neverExceedCap(count: number): Promise<void> {
  // The cap is of a day, which is not to end meanwhile.
  const today = addDays(dayOf(Date.now()), 1);
  const noonMs = Date.parse(`${today}T12:00:00.000Z`);
  await using shared = await shareService(noonMs - Date.now());
  const days = Array.from({ length: 24 }, (_, n) => addDays(today, n + 1));
  const agent = await shared.withStore(async (services) => {
    for (const day of [today, ...days]) await openAuction(services, { day });
    return await agentOf(services, "ada", 1_000, 10_000);
  });
  const children = await startAll(shared, count);
  const answers = await Promise.all(
    days.map((day, n) => bidUntilTold(nthOf(children, n), agent, day, 1_000)),
  );
  const accepted = answers.filter((status) => status === 200).length;
  assertEquals(accepted, 10, "ten bids of EUR 10 fill a cap of EUR 100");
  assert(answers.every((status) => status === 200 || status === 403));
}

/** Raises bids until the auction closes, and sees what it is settled as. */
export async function closeAndSettleOnce(count: number): Promise<void> {
  // Room for the processes to start and take a bid before the auction closes.
  for (let roomMs = 4_000 * count;; roomMs *= 2) {
    if (await closedIn(count, roomMs)) return;
  }
}

/** False when the machine was too slow for that room. */
async function closedIn(count: number, roomMs: number): Promise<boolean> {
  const day = addDays(dayOf(Date.now()), 1);
  const closesAtMs = Date.parse(`${day}T23:55:00.000Z`);
  await using shared = await shareService(closesAtMs - Date.now() - roomMs);
  const agents = await shared.withStore(async (services) => {
    await openAuction(services, { day });
    const names = ["ada", "bob", "cyd", "dee"];
    return await Promise.all(
      names.map((name) => agentOf(services, name, 100_000, 10_000_000)),
    );
  });
  const children = await startAll(shared, count, { jobsEveryMs: 20 });
  const now = () => Date.now() + shared.clockAheadMs;
  const firsts = await Promise.all(
    agents.map((agent, n) =>
      bidUntilTold(nthOf(children, n), agent, day, 1_000)
    ),
  );
  if (now() >= closesAtMs) return false;
  assert(firsts.every((status) => status === 200), "bids came in time");
  const outcomes = await Promise.all(
    agents.map((agent, n) => raiseUntilClosed(children, agent, day, n, now)),
  );
  for (const { startedMs, status } of outcomes.flat()) {
    assert(startedMs < closesAtMs || status !== 200, "accepted after closesAt");
  }
  await Promise.all(children.map((child) => untilPublic(child, day)));
  await Promise.all(children.map((child) => child.stop()));
  await checkSettledOnce(shared, day, closesAtMs);
  return true;
}

/** Asks in turns. */
function nthOf(children: readonly ChildService[], n: number): ChildService {
  const child = children[n % children.length];
  assert(child);
  return child;
}

async function agentOf(
  services: Services,
  name: string,
  maxBidCents: number,
  dailyCapCents: number,
): Promise<Agent> {
  const { account, adId } = await createAdvertiser(
    services,
    name,
    "pm_card_visa",
  );
  const { accessToken } = await createGrant(services, {
    accountId: account.id,
    clientId: "https://agent.example/client.json",
    scopes: SCOPES,
    mandate: {
      maxBidCents,
      dailyCapCents,
      validUntilMs: services.clock.now() + 30 * 86_400_000,
    },
  });
  return { accountId: account.id, adId, token: accessToken };
}

async function bid(
  { authUrl }: ChildService,
  agent: Agent,
  day: Day,
  amountCents: number,
  key: string = crypto.randomUUID(),
): Promise<number> {
  const answer = await seen.fetch(`${authUrl}/v1/agent/bids`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${agent.token}`,
      "content-type": "application/json",
      "idempotency-key": key,
    },
    body: JSON.stringify({
      day,
      ad_id: agent.adId,
      amount_cents: amountCents,
      currency: "EUR",
    }),
  });
  await answer.body?.cancel();
  return answer.status;
}

/** The same request again, for as long as it is told to try again. */
async function bidUntilTold(
  ...[child, agent, day, amountCents]: Parameters<typeof bid>
): Promise<number> {
  const key = crypto.randomUUID();
  for (;;) {
    const status = await bid(child, agent, day, amountCents, key);
    if (status !== 503) return status;
  }
}

/** Raises by a cent, through one process and another, until it is too late. */
async function raiseUntilClosed(
  children: readonly ChildService[],
  agent: Agent,
  day: Day,
  nth: number,
  now: () => number,
): Promise<{ startedMs: number; status: number }[]> {
  const closesAtMs = Date.parse(`${day}T23:55:00.000Z`);
  const tries: { startedMs: number; status: number }[] = [];
  const until = (ms: number) =>
    new Promise((resolve) => setTimeout(resolve, ms - now()));
  await until(closesAtMs - 700);
  for (let n = 1;; n++) {
    // No more than that are looked through at the end.
    if (n >= RAISES_MAX) await until(closesAtMs);
    const startedMs = now();
    const status = await bid(nthOf(children, n + nth), agent, day, 1_000 + n);
    tries.push({ startedMs, status });
    if (startedMs >= closesAtMs && status === 409) return tries;
  }
}

async function untilPublic(
  { baseUrl }: ChildService,
  day: Day,
): Promise<void> {
  for (;;) {
    const answer = await seen.fetch(`${baseUrl}/api/v1/spotlights/${day}`);
    await answer.body?.cancel();
    if (answer.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function checkSettledOnce(
  shared: SharedService,
  day: Day,
  closesAtMs: number,
): Promise<void> {
  await shared.withStore(async ({ store }) => {
    const bids = await store.listBids(day, { limit: 10 });
    const best = Math.max(...bids.map(({ amountCents }) => amountCents));
    const won = bids.filter(({ status }) => status === "won");
    assertEquals(won.map(({ amountCents }) => amountCents), [best]);
    for (const { id } of bids) {
      const events = await store.listBidEvents(id, { limit: 200 });
      assert(events.every(({ atMs }) => atMs < closesAtMs));
    }
    const spotlight = await store.spotlights.find(day);
    assertEquals(spotlight?.accountId, won[0]?.accountId);
    const ledger = await store.listLedger({ limit: 10 });
    assertEquals(ledger.map(({ lines }) => lines[0]?.amountCents), [best]);
  });
  const { customers } = shared.simulator.control.state();
  const attempts = customers.map((each) => each.charges_succeeded);
  assertEquals(attempts.reduce((sum, count) => sum + count, 0), 1);
}
