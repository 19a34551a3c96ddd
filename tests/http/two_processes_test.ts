import { assert, assertEquals } from "@std/assert";
import { openAuction } from "../../domain/auction/open_auction.ts";
import { addDays, type Day, dayOf } from "../../domain/day.ts";
import { createGrant } from "../../tools/demo/create_grant.ts";
import type { Services } from "../../domain/ports.ts";
import { seen } from "../support/captured_logs.ts";
import { createAdvertiser } from "../support/auction_world.ts";
import {
  type ChildService,
  type SharedService,
  shareService,
} from "../support/processes.ts";
import { IS_NETWORKED } from "../support/test_kv.ts";

const SCOPES = ["account:read", "bids:read", "bids:write"] as const;

interface Agent {
  accountId: string;
  adId: string;
  token: string;
}

Deno.test("two processes on one store never admit more than the bucket allows", async () => {
  await using shared = await shareService();
  const both = [await shared.start(), await shared.start()];
  const began = Date.now();
  let admitted = 0;
  const hammer = async ({ baseUrl }: ChildService) => {
    while (Date.now() - began < 3_000) {
      const answer = await seen.fetch(`${baseUrl}/api/v1/sandbox`);
      await answer.body?.cancel();
      if (answer.status === 200) admitted += 1;
      else assertEquals(answer.status, 429);
    }
  };
  await Promise.all([...both, ...both, ...both, ...both].map(hammer));
  const elapsedS = (Date.now() - began) / 1000;
  assert(admitted <= 120 + 2 * elapsedS, `${admitted} in ${elapsedS} s`);
  assert(admitted >= 120, `${admitted} admitted of at least 120`);
});

Deno.test("two processes on one store never exceed a daily cap", async () => {
  await using shared = await shareService();
  const today = dayOf(Date.now());
  const days = Array.from({ length: 24 }, (_, n) => addDays(today, n + 1));
  const agent = await shared.withStore(async (services) => {
    for (const day of [today, ...days]) await openAuction(services, { day });
    return await agentOf(services, "ada", 1_000, 10_000);
  });
  const [one, two] = [await shared.start(), await shared.start()];
  const answers = await Promise.all(
    days.map((day, n) => bid(n % 2 === 0 ? one : two, agent, day, 1_000)),
  );
  const accepted = answers.filter((status) => status === 200).length;
  assertEquals(accepted, 10, "ten bids of EUR 10 fill a cap of EUR 100");
  assert(answers.every((status) => [200, 403, 503].includes(status)));
});

Deno.test("two processes close a day on time and settle it once", async () => {
  const day = addDays(dayOf(Date.now()), 1);
  const closesAtMs = Date.parse(`${day}T23:55:00.000Z`);
  // Room for two processes to start before the auction closes.
  const roomMs = IS_NETWORKED ? 20_000 : 8_000;
  await using shared = await shareService(closesAtMs - Date.now() - roomMs);
  const agents = await shared.withStore(async (services) => {
    await openAuction(services, { day });
    const names = ["ada", "bob", "cyd", "dee"];
    return await Promise.all(
      names.map((name) => agentOf(services, name, 100_000, 10_000_000)),
    );
  });
  const both = await Promise.all([
    shared.start({ jobsEveryMs: 20 }),
    shared.start({ jobsEveryMs: 20 }),
  ]);
  const now = () => Date.now() + shared.clockAheadMs;
  const outcomes = await Promise.all(
    agents.map((agent, n) => raiseUntilClosed(both, agent, day, n, now)),
  );
  const tries = outcomes.flat();
  assert(tries.some(({ status }) => status === 200), "bids came in time");
  assert(tries.some(({ status }) => status === 409), "bids came too late");
  for (const { startedMs, status } of tries) {
    assert(startedMs < closesAtMs || status !== 200, "accepted after closesAt");
  }
  await Promise.all(both.map((child) => untilPublic(child, day)));
  await Promise.all(both.map((child) => child.stop()));
  await checkSettledOnce(shared, day, closesAtMs);
});

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
): Promise<number> {
  const answer = await seen.fetch(`${authUrl}/v1/agent/bids`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${agent.token}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
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

/** Raises by a cent, through one process and the other, around closing time. */
async function raiseUntilClosed(
  both: readonly ChildService[],
  agent: Agent,
  day: Day,
  nth: number,
  now: () => number,
): Promise<{ startedMs: number; status: number }[]> {
  const closesAtMs = Date.parse(`${day}T23:55:00.000Z`);
  const tries: { startedMs: number; status: number }[] = [];
  const waitMs = closesAtMs - 700 - now();
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  for (let n = 0; n < 110 && now() < closesAtMs + 300; n++) {
    const child = both[(n + nth) % both.length];
    if (child === undefined) break;
    const startedMs = now();
    const status = await bid(child, agent, day, 1_000 + n);
    tries.push({ startedMs, status });
  }
  return tries;
}

async function untilPublic(
  { baseUrl }: ChildService,
  day: Day,
): Promise<void> {
  const until = Date.now() + 10_000;
  while (Date.now() < until) {
    const answer = await seen.fetch(`${baseUrl}/api/v1/spotlights/${day}`);
    await answer.body?.cancel();
    if (answer.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${day} was not public at ${baseUrl} in time`);
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
