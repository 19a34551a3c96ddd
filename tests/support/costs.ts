/**
 * Agents that ask for more than they may, and how long others wait for it.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Account } from "../../domain/accounts/account.ts";
import { SCOPES } from "../../domain/oauth/grant.ts";
import { openKv } from "../../kv/open.ts";
import { EMBEDDED_READS, sharedReads } from "../../kv/shared_reads.ts";
import { createGrant } from "../../tools/demo/create_grant.ts";
import { type AgentApi, openAgentApi, postBid } from "./agent_api.ts";
import type { Agent } from "./bidding_world.ts";
import type { Asks } from "./bought_reports.ts";
import { OneAtATime } from "./one_at_a_time.ts";
import { ManualTimer } from "./timer.ts";

export const CONNECTIONS = "/v1/agent/connections";

/** The API over a store that does one thing at a time, which is counted. */
export interface Costs {
  api: AgentApi;
  kv: OneAtATime;
}

/** Opens the API over a store with one thread. */
export async function openCosts(): Promise<Costs> {
  const kv = new OneAtATime(await openKv(":memory:"));
  const shared = sharedReads(kv, EMBEDDED_READS);
  // Calls are counted, and nobody is refused because the machine is slow.
  const { start: timers } = new ManualTimer();
  const api = await openAgentApi({
    kv: { ...shared, isEmbedded: true },
    timers,
  });
  return { api, kv };
}

/** Connects so many more agents to the account, a moment after each other. */
export async function connectMore(
  { world }: AgentApi,
  agent: Agent,
  count: number,
): Promise<Agent[]> {
  const mandate = {
    maxBidCents: 5_000,
    dailyCapCents: 5_000,
    validUntilMs: world.clock.now() + 86_400_000,
  };
  const agents: Agent[] = [];
  for (let nth = 0; nth < count; nth++) {
    world.clock.advance(1);
    const created = await createGrant(world.services, {
      accountId: agent.account.id,
      clientId: `https://other.example/client${nth}.json`,
      scopes: SCOPES,
      mandate,
    });
    agents.push({ ...agent, ...created });
  }
  return agents;
}

/** Reads a page of connections; its status. */
export async function list(
  api: AgentApi,
  as: Agent,
  query = "?limit=50",
): Promise<number> {
  const answer = await api.ask(`${CONNECTIONS}${query}`, { as });
  await answer.body?.cancel();
  return answer.status;
}

/** Bids, which is taken. */
export async function bid(
  api: AgentApi,
  as: Agent,
  cents: number,
): Promise<void> {
  const members = { amount_cents: cents };
  const answer = await postBid(api, as, members, `key-${cents}`);
  assertEquals(answer.status, 200, await answer.text());
}

/** Changes something that every agent of the account changes. */
export function changeStreet(
  api: AgentApi,
  as: Agent,
  key: string,
): Promise<Response> {
  return api.ask("/v1/agent/me", {
    as,
    method: "PATCH",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({ address: { line1: `Street ${key}` } }),
  });
}

/** Agents of one account, whose tokens have been proven and buckets asked. */
export async function hundredAgents(
  api: AgentApi,
  account: Partial<Account> = {},
): Promise<Agent[]> {
  const eve = await api.world.agent("eve", { scopes: SCOPES, account });
  const agents = await connectMore(api, eve, 99);
  for (const as of agents) await list(api, as);
  return agents;
}

/** A rival bids while they ask, for one thing after the other. */
export async function floodWith(
  { t, api, kv }: { t: Deno.TestContext; api: AgentApi; kv: OneAtATime },
  agents: readonly Agent[],
  floods: Readonly<Record<string, Asks>>,
): Promise<void> {
  const ada = await api.world.agent("ada");
  await bid(api, ada, 1_000);
  let cents = 1_000;
  for (const [name, ask] of Object.entries(floods)) {
    await t.step(name, async () => {
      // By then the use of every connection is due to be noted.
      api.world.clock.advance(61_000);
      const flood = { agents, ask };
      const waitedFor = await waitsFor({ api, kv, flood }, ada, cents += 1);
      assert(waitedFor <= 60, `${waitedFor} calls`);
    });
  }
}

/** How many calls a bid of the rival waits for while all agents ask eight times each. */
async function waitsFor(
  { api, kv, flood: { agents, ask } }: {
    api: AgentApi;
    kv: OneAtATime;
    flood: { agents: readonly Agent[]; ask: Asks };
  },
  rival: Agent,
  cents: number,
): Promise<number> {
  kv.isSlow = true;
  const going = new AbortController();
  const { signal } = going;
  const asked = agents.flatMap((as) =>
    Array.from({ length: 8 }, async () => {
      const answer = await ask(as, { key: crypto.randomUUID(), signal });
      await answer?.body?.cancel();
    })
  );
  await kv.answers(20);
  const before = kv.calls;
  await bid(api, rival, cents);
  const waitedFor = kv.calls - before;
  kv.isSlow = false;
  going.abort();
  await Promise.all(asked);
  return waitedFor;
}
