/**
 * What requests cost that are not let through, or that agents ask of the checkout:
 * others of the same account, and rivals, go on meanwhile.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { SCOPES } from "../../domain/oauth/grant.ts";
import {
  BUCKET_POLICIES,
  type BucketKind,
} from "../../domain/rate_limit/policy.ts";
import { createGrant } from "../../tools/demo/create_grant.ts";
import { type AgentApi, postBid } from "../support/agent_api.ts";
import type { Agent } from "../support/bidding_world.ts";
import { type Asks, checkouts } from "../support/bought_reports.ts";
import {
  bid,
  changeStreet,
  type Costs,
  floodWith,
  hundredAgents,
  list,
  openCosts,
} from "../support/costs.ts";

Deno.test("a rival's bid waits for a few reads of an account whose hundred agents make checkouts and change them, eight times each", async (t) => {
  const { api, kv } = await openCosts();
  await using _ = api;
  const agents = await hundredAgents(api);
  const floods = await checkouts(api, agents);
  await floodWith({ t, api, kv }, agents, floods);
});

Deno.test("an agent's bid waits for few that the bucket of another agent of its account refuses", async () => {
  const { api, kv } = await openCosts();
  await using _ = api;
  const { ada, other } = await twoAgents(api);
  await bid(api, ada, 1_000);
  const ask: Asks = (as, { key }) =>
    postBid(api, as, { amount_cents: 5_000 }, key);
  const flood = await beginFlood({ api, kv }, other, ask);
  const before = kv.calls;
  await bid(api, ada, 2_000);
  const waitedFor = kv.calls - before;
  kv.isSlow = false;
  assertEquals(await flood.ended, { 403: 120, 429: 880 });
  // Those that the bucket let through: each reads for a moment.
  assert(waitedFor <= 100, `${waitedFor} calls`);
});

Deno.test("an agent reads though the bucket of another agent of its account refuses hundreds of reads", async () => {
  const { api, kv } = await openCosts();
  await using _ = api;
  const { ada, other } = await twoAgents(api);
  const me = "/v1/agent/me";
  const flood = await beginFlood(
    { api, kv },
    other,
    (as) => api.ask(me, { as }),
  );
  const answer = await api.ask(me, { as: ada });
  assertEquals(answer.status, 200, await answer.text());
  kv.isSlow = false;
  assertEquals(await flood.ended, { 200: 120, 429: 880 });
});

/** Of what an account or its network pays for what its agents ask. */
const CHARGES: readonly {
  kind: BucketKind;
  ask(api: AgentApi): Asks;
  account?: { identityStatus: "unverified"; defaultPaymentMethodId: null };
}[] = [
  { kind: "change", ask: changes },
  { kind: "kept_change", ask: changes },
  {
    kind: "newcomer_kept",
    ask: changes,
    account: { identityStatus: "unverified", defaultPaymentMethodId: null },
  },
  {
    kind: "list",
    ask: (api) => async (as) =>
      new Response(null, { status: await list(api, as, "?limit=1") }),
  },
];

for (const { kind, ask, account } of CHARGES) {
  Deno.test(`a request that its grant's bucket refuses costs the account no ${kind}`, async () => {
    const { api, kv } = await openCosts();
    await using _ = api;
    const { ada, other } = await twoAgents(api, account);
    const flood = await beginFlood({ api, kv }, other, ask(api), 300);
    kv.isSlow = false;
    const { 429: refused = 0 } = await flood.ended;
    assertEquals(refused, 180);
    const payer = account === undefined ? ada.account.id : "192.0.2.1";
    const left = await api.limiter.take(kind, payer);
    assert(left.admitted);
    const { capacity } = BUCKET_POLICIES[kind];
    // Those that were let through, and this one.
    assertEquals(capacity - left.remaining, 120 + 1);
  });
}

function changes(api: AgentApi): Asks {
  return (as, { key }) => changeStreet(api, as, key);
}

/** Two agents of one account, whose tokens are known; one may bid EUR 1 at most. */
async function twoAgents(
  api: AgentApi,
  account: (typeof CHARGES)[number]["account"] = undefined,
): Promise<{ ada: Agent; other: Agent }> {
  const { services, clock } = api.world;
  const ada = await api.world.agent("ada", {
    scopes: SCOPES,
    ...account !== undefined && { account },
  });
  const created = await createGrant(services, {
    accountId: ada.account.id,
    clientId: "https://other.example/client.json",
    scopes: SCOPES,
    mandate: {
      maxBidCents: 100,
      dailyCapCents: 100,
      validUntilMs: clock.now() + 86_400_000,
    },
  });
  const other = { ...ada, ...created };
  for (const as of [ada, other]) {
    const answer = await api.ask("/v1/agent/me", { as });
    await answer.body?.cancel();
  }
  return { ada, other };
}

/**
 * Has the agent ask so many times at once, of which its bucket lets 120 through;
 * how often it was told what.
 */
async function beginFlood(
  { api, kv }: Costs,
  as: Agent,
  ask: Asks,
  times = 1_000,
): Promise<{ ended: Promise<Record<number, number>> }> {
  // The bucket is full again, and nothing is held of it.
  api.world.clock.advance(70_000);
  kv.isSlow = true;
  const { signal } = new AbortController();
  const told: Record<number, number> = {};
  const asked = Array.from({ length: times }, async () => {
    const answer = await ask(as, { key: crypto.randomUUID(), signal });
    await answer?.body?.cancel();
    const status = answer?.status ?? 0;
    told[status] = (told[status] ?? 0) + 1;
  });
  await kv.answers(5);
  return { ended: Promise.all(asked).then(() => told) };
}
