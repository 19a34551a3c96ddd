import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createGrant } from "../../../../tools/demo/create_grant.ts";
import { type Scope, SCOPES } from "../../../../domain/oauth/grant.ts";
import { revokeConnection } from "../../../../domain/oauth/revoke_connection.ts";
import {
  type AgentApi,
  openAgentApi,
  postBid,
} from "../../../support/agent_api.ts";
import { assertAsksScope } from "../../../support/asks_scope.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import { callTool } from "../../../support/mcp_agent.ts";

const LIST = "/v1/agent/connections";
const BOTH: readonly Scope[] = ["connections:read", "connections:write"];

/** Another agent of the same account. */
async function another(
  { world }: AgentApi,
  { account }: Agent,
  scopes: readonly Scope[] = ["account:read"],
): Promise<Agent> {
  world.clock.advance(1_000);
  const created = await createGrant(world.services, {
    accountId: account.id,
    clientId: world.services.ids.next("client"),
    clientName: "Other agent",
    scopes,
    mandate: null,
  });
  return { account, adId: "", cardId: "", ...created };
}

function revoke(
  api: AgentApi,
  as: Agent,
  id: string,
  key?: string,
): Promise<Response> {
  const headers: Record<string, string> = {};
  if (key !== undefined) headers["idempotency-key"] = key;
  return api.ask(`${LIST}/${id}`, { as, method: "DELETE", headers });
}

// deno-lint-ignore no-explicit-any -- tests compare what they expect of it
async function list(api: AgentApi, as: Agent, query = ""): Promise<any> {
  const answer = await api.ask(`${LIST}${query}`, { as });
  assertEquals(answer.status, 200);
  return await answer.json();
}

/** Whether the agent's token is refused now. */
async function isOut(api: AgentApi, as: Agent): Promise<boolean> {
  const answer = await api.ask("/v1/agent/nothing", { as });
  await answer.body?.cancel();
  assert(answer.status === 404 || answer.status === 401);
  return answer.status === 401;
}

Deno.test("GET /v1/agent/connections answers connections with their eight members, newest first", async () => {
  await using api = await openAgentApi();
  const scopes = [...BOTH, "bids:write"] as const;
  const ada = await api.world.agent("ada", { scopes });
  assertEquals((await postBid(api, ada)).status, 200);
  const other = await another(api, ada);
  const answer = await api.ask(LIST, { as: ada });
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(await answer.json(), {
    items: [{
      grant_id: other.grant.id,
      client: { name: "Other agent", host: null },
      scopes: ["account:read"],
      state: "live",
      mandate: null,
      created_at: "2026-11-20T12:00:01.000Z",
      last_used_at: "2026-11-20T12:00:01.000Z",
      is_current: false,
    }, {
      grant_id: ada.grant.id,
      client: { name: "https://agent.example/client.json", host: null },
      scopes: ["bids:write", "connections:read", "connections:write"],
      state: "live",
      mandate: {
        max_bid_cents: 100_000,
        daily_cap_cents: 1_000_000,
        valid_until: "2026-12-20T12:00:00.000Z",
        used_cents: 1_000,
        left_cents: 999_000,
        total_cap_cents: null,
        total_used_cents: null,
        total_left_cents: null,
      },
      created_at: "2026-11-20T12:00:00.000Z",
      last_used_at: "2026-11-20T12:00:00.000Z",
      is_current: true,
    }],
    next_cursor: null,
  });
});

Deno.test("GET /v1/agent/connections tells no token, key or e-mail", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: BOTH });
  const text = JSON.stringify(await list(api, ada));
  const refresh = ada.grant.lines[0]?.refresh;
  for (
    const secret of [
      ada.account.email,
      ada.accessToken,
      ada.refreshToken,
      refresh?.currentHash ?? "none",
      refresh?.lineHash ?? "none",
    ]
  ) assert(!text.includes(secret), secret);
});

Deno.test("GET /v1/agent/connections says that nothing is left of a mandate that is over", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: [...BOTH, "bids:read"] });
  const spender = await api.world.agent("ada", { scopes: ["bids:write"] });
  assertEquals((await postBid(api, spender)).status, 200);
  assertEquals((await revoke(api, ada, spender.grant.id)).status, 200);
  const { items } = await list(api, ada);
  const gone = items.find((each: { grant_id: string }) =>
    each.grant_id === spender.grant.id
  );
  assertEquals(gone.state, "revoked");
  assertEquals([gone.mandate.used_cents, gone.mandate.left_cents], [1_000, 0]);
});

Deno.test("GET /v1/agent/connections shows nobody else's agents", async () => {
  await using api = await openAgentApi();
  await api.world.agent("ada");
  const eve = await api.world.agent("eve", { scopes: BOTH });
  const { items } = await list(api, eve);
  assertEquals(items.map((each: { grant_id: string }) => each.grant_id), [
    eve.grant.id,
  ]);
});

Deno.test("GET /v1/agent/connections answers every connection once, whatever the pages are", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: BOTH });
  for (let n = 0; n < 6; n++) {
    await another(api, ada);
    if (n % 2 === 0) {
      // Two of one moment.
      api.world.clock.advance(-1_000);
      await another(api, ada);
    }
  }
  const ids = (page: { items: { grant_id: string }[] }) =>
    page.items.map(({ grant_id }) => grant_id);
  const whole = ids(await list(api, ada));
  assertEquals(new Set(whole).size, 10);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 11 }), async (limit) => {
      const seen: string[] = [];
      let query = `?limit=${limit}`;
      for (;;) {
        api.world.clock.advance(1_000); // the bucket is filled again
        const page = await list(api, ada, query);
        seen.push(...ids(page));
        if (page.next_cursor === null) break;
        query = `?limit=${limit}&cursor=${page.next_cursor}`;
      }
      assertEquals(seen, whole);
    }),
    { numRuns: 20 },
  );
});

Deno.test("GET /v1/agent/connections answers 400 for other limits and cursors", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: BOTH });
  for (const query of ["limit=0", "limit=51", "cursor=!", "cursor=MTIz"]) {
    const answer = await api.ask(`${LIST}?${query}`, { as: ada });
    assertEquals(answer.status, 400, query);
    assertEquals((await answer.json()).code, "agent.bad-request");
  }
});

Deno.test("DELETE /v1/agent/connections/{grant_id} ends the agent at its next request", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: BOTH });
  const other = await another(api, ada);
  assertEquals(await isOut(api, other), false);
  const answer = await revoke(api, ada, other.grant.id);
  assertEquals(answer.status, 200);
  const said = await answer.json();
  assertEquals(said, {
    grant_id: other.grant.id,
    state: "revoked",
    revoked_at: "2026-11-20T12:00:01.000Z",
  });
  assertEquals(await isOut(api, other), true);
  api.world.clock.advance(1_000);
  const again = await revoke(api, ada, other.grant.id);
  assertEquals(await again.json(), said);
});

Deno.test("DELETE /v1/agent/connections/{grant_id} of oneself is answered, and is the last answer", async () => {
  for (const surface of ["request", "tool"]) {
    await using api = await openAgentApi();
    const ada = await api.world.agent("ada", { scopes: SCOPES });
    const grant_id = ada.grant.id;
    if (surface === "request") {
      const answer = await revoke(api, ada, grant_id, "key-1");
      assertEquals([answer.status, (await answer.json()).state], [
        200,
        "revoked",
      ]);
    } else {
      const told = await callTool(api, ada, "revoke_connection", { grant_id });
      assertEquals([told.isError, told.content.state], [false, "revoked"]);
    }
    assertEquals(await isOut(api, ada), true);
    assertEquals((await revoke(api, ada, grant_id, "key-1")).status, 401);
  }
});

Deno.test("DELETE /v1/agent/connections/{grant_id} of another account or of none is the same 404", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  const eve = await api.world.agent("eve", { scopes: BOTH });
  for (const id of [ada.grant.id, "grant_none", "%00", "x".repeat(3_000)]) {
    const answer = await revoke(api, eve, id, "key-1");
    assertEquals(answer.status, 404);
    const { code, detail } = await answer.json();
    assertEquals(code, "agent.not-found");
    assertEquals(detail, `Cannot find grant "${decodeURIComponent(id)}"`);
  }
  assertEquals(await isOut(api, ada), false);
});

Deno.test("DELETE /v1/agent/connections/{grant_id} replays its answer for the same key", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: BOTH });
  const { grant: { id } } = await another(api, ada);
  const first = await revoke(api, ada, id, "key-1");
  assertEquals(first.headers.get("idempotent-replayed"), null);
  const again = await revoke(api, ada, id, "key-1");
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  assertEquals(await again.text(), await first.text());
  for (const key of ["", "x".repeat(256), "a b"]) {
    assertEquals((await revoke(api, ada, id, key)).status, 400);
  }
});

Deno.test("a key that revokeConnection() bound to another request is a conflict", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: BOTH });
  const { grant: { id: grantId } } = await another(api, ada);
  const { services } = api.world;
  await revokeConnection(services, {
    accountId: ada.account.id,
    grantId,
    by: { grant: { id: ada.grant.id, lineId: ada.lineId } },
    binding: {
      owner: ada.grant.id,
      operation: `DELETE ${LIST}/${grantId}`,
      key: "key-1",
      requestHash: "another",
    },
  });
  const answer = await revoke(api, ada, grantId, "key-1");
  assertEquals([answer.status, (await answer.json()).code], [409, "CONFLICT"]);
});

Deno.test("an agent that is revoked while it bids has bid before or is refused", async () => {
  for (let round = 0; round < 8; round++) {
    await using api = await openAgentApi();
    const ada = await api.world.agent("ada", { scopes: BOTH });
    const spender = await api.world.agent("ada", { scopes: ["bids:write"] });
    const [bid, ended] = await Promise.all([
      postBid(api, spender),
      revoke(api, ada, spender.grant.id),
      isOut(api, spender),
    ]);
    assertEquals(ended.status, 200);
    assert(bid.status === 200 || bid.status === 401, String(bid.status));
    await bid.body?.cancel();
    const { store } = api.world.services;
    const placed = await store.listBids("2026-11-20" as never, { limit: 5 });
    assertEquals(placed.length, bid.status === 200 ? 1 : 0);
    assertEquals(await isOut(api, spender), true);
    assertEquals((await postBid(api, spender, {}, "key-2")).status, 401);
  }
});

Deno.test("a revocation whose answer was lost has happened, and repeats the same", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: BOTH });
  const other = await another(api, ada);
  await list(api, ada); // its use is noted, which is a commit
  const fault = { kind: "fail_after" } as const;
  api.world.testStore.kv.inject({ on: "commit", fault });
  const lost = await revoke(api, ada, other.grant.id, "key-1");
  assertEquals(lost.status, 503);
  assertEquals(await isOut(api, other), true);
  const again = await revoke(api, ada, other.grant.id, "key-1");
  assertEquals(again.status, 200);
  assertEquals(again.headers.get("idempotent-replayed"), "true");
});

for (
  const [operation, scope] of [
    [`GET ${LIST}`, "connections:read"],
    [`DELETE ${LIST}/grant_1`, "connections:write"],
  ] as const
) {
  Deno.test(`${operation} asks for ${scope}, and for a token`, () =>
    assertAsksScope(operation, scope));
}
