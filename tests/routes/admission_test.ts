import { startTimer } from "../../adapters/time/system_time.ts";
/**
 * Requests whose token was good here before: their handler begins while the
 * token is checked and its bucket asked.
 */
import { assertEquals } from "@std/assert";
import { createRateLimiter } from "../../domain/rate_limit/create_rate_limiter.ts";
import { revokeGrant } from "../../domain/oauth/revoke_grant.ts";
import { EMBEDDED_LANES, rateBuckets } from "../../kv/rate_buckets.ts";
import {
  type AgentApi,
  bidMembers,
  openAgentApi,
  postBid,
} from "../support/agent_api.ts";
import { type Agent, BID_DAY } from "../support/bidding_world.ts";
import { keyOf } from "../support/faults.ts";
import { callTool, rpc } from "../support/mcp_agent.ts";

/** An agent whose token is known here, and its auction. */
async function openKnown(): Promise<{ api: AgentApi; ada: Agent }> {
  const api = await openAgentApi();
  const ada = await api.world.agent("ada");
  assertEquals((await me(api, ada)).status, 200);
  // For the tool server, which remembers tokens of its own.
  assertEquals((await callTool(api, ada, "get_account")).status, 200);
  // The last use was noted: it is a minute's, and no commit of the next request.
  return { api, ada };
}

function me(api: AgentApi, as: Agent): Promise<Response> {
  return api.ask("/v1/agent/me", { as });
}

/** Bids over HTTP and as a tool; what the statuses are. */
async function bidBothWays(api: AgentApi, ada: Agent): Promise<number[]> {
  const posted = await postBid(api, ada);
  const called = await rpc(api, "tools/call", {
    name: "place_bid",
    arguments: { ...bidMembers(ada), idempotency_key: "key-2" },
  }, { as: ada });
  return [posted.status, called.status];
}

function bidOf({ world }: AgentApi, { account }: Agent) {
  return world.services.store.bids.find(BID_DAY, account.id);
}

/** Another process takes all that a bucket holds. */
async function drain(
  { world }: AgentApi,
  kind: "grant" | "bid" | "share",
  id: string,
): Promise<void> {
  const { clock, testStore } = world;
  const nowMs = () => clock.now();
  const limiter = createRateLimiter({
    rows: rateBuckets(testStore.realKv, { lanes: EMBEDDED_LANES, nowMs }),
    clock,
    startTimer,
    hashId: (text) => text,
  });
  while ((await limiter.take(kind, id)).admitted);
  await limiter.close();
}

Deno.test("a bid under a grant that was revoked meanwhile is 401 and leaves nothing, over HTTP and as a tool", async () => {
  const { api, ada } = await openKnown();
  await using _ = api;
  const { id: grantId, accountId } = ada.grant;
  await revokeGrant(api.world.services, { grantId, accountId });
  assertEquals(await bidBothWays(api, ada), [401, 401]);
  assertEquals(await bidOf(api, ada), null);
});

Deno.test("a bid that another process left no token for is 429 and leaves nothing, over HTTP and as a tool", async () => {
  for (const kind of ["grant", "bid"] as const) {
    const { api, ada } = await openKnown();
    await using _ = api;
    const id = kind === "grant" ? ada.grant.id : ada.account.id;
    // What this process has taken ahead is not for longer.
    api.world.clock.advance(11_000);
    await drain(api, kind, id);
    if (kind === "bid") await drain(api, "share", ada.grant.id);
    const [posted, called] = await bidBothWays(api, ada);
    assertEquals(posted, 429, kind);
    // A tool tells what its account has none for inside its result.
    assertEquals(called, kind === "grant" ? 429 : 200, kind);
    assertEquals(await bidOf(api, ada), null, kind);
  }
});

Deno.test("a bid whose token cannot be checked is 503 and leaves nothing", async () => {
  const { api, ada } = await openKnown();
  await using _ = api;
  // The check and the bid read the grant side by side; one of both fails.
  api.world.testStore.kv.inject({
    on: "read",
    key: keyOf("grants"),
    fault: { kind: "fail_before" },
  });
  assertEquals((await postBid(api, ada)).status, 503);
  assertEquals(await bidOf(api, ada), null);
  assertEquals((await postBid(api, ada)).status, 200);
});

Deno.test("a token that has ended is 401 before anything else is told of the request", async () => {
  const { api, ada } = await openKnown();
  await using _ = api;
  const { id: grantId, accountId } = ada.grant;
  const asked: [method: string, path: string][] = [
    ["GET", "/v1/agent/me"],
    ["GET", "/v1/agent/me?amount_cents=x"],
    ["GET", "/v1/agent/unknown"],
    ["DELETE", "/v1/agent/me"],
    ["POST", "/v1/agent/bids"],
    ["PATCH", "/v1/agent/me"],
    ["GET", "/v1/agent/invoices/SPOT-0001/pdf"],
    ["GET", "/mcp"],
  ];
  for (const [method, path] of asked) {
    const bob = await api.world.agent(`bob${path}${method}`);
    assertEquals((await me(api, bob)).status, 200);
    await revokeGrant(api.world.services, {
      grantId: bob.grant.id,
      accountId: bob.account.id,
    });
    const answer = await api.ask(path, { method, as: bob });
    await answer.body?.cancel();
    assertEquals(answer.status, 401, `${method} ${path}`);
  }
  await revokeGrant(api.world.services, { grantId, accountId });
  const answer = await rpc(api, "tools/list", {}, { as: ada });
  assertEquals(answer.status, 401);
  await answer.body?.cancel();
});

Deno.test("the mandate that an account is shown is the one of its grant as it is", async () => {
  const { api, ada } = await openKnown();
  await using _ = api;
  const { store } = api.world.services;
  await store.transact(async (tx) => {
    const grant = await tx.grants.find(ada.grant.id);
    const { mandate } = grant ?? {};
    if (!grant || !mandate) return;
    tx.grants.save({ ...grant, mandate: { ...mandate, maxBidCents: 4_321 } });
  });
  const { mandate } = await (await me(api, ada)).json();
  assertEquals(mandate.max_bid_cents, 4_321);
});

Deno.test("a request that is let through notes the use of its grant, also where it is refused then", async () => {
  const { api, ada } = await openKnown();
  await using _ = api;
  const { clock, services } = api.world;
  for (const path of ["/v1/agent/me", "/v1/agent/bids"]) {
    clock.advance(60_000);
    await (await api.ask(path, { as: ada })).body?.cancel();
    const grant = await services.store.grants.find(ada.grant.id);
    assertEquals(grant?.lastUsedAtMs, clock.now());
  }
});
