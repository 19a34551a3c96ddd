import { assertEquals } from "@std/assert";
import type { Scope } from "../../../../domain/oauth/grant.ts";
import {
  type AgentApi,
  openAgentApi,
  postBid,
} from "../../../support/agent_api.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import { callTool } from "../../../support/mcp_agent.ts";

const ALL: readonly Scope[] = ["account:read", "bids:read", "bids:write"];
const FEWER: readonly Scope[] = ["account:read", "bids:read"];

/** The user ticks other scopes of the connection than it had. */
async function tick(
  { world: { services: { store } } }: AgentApi,
  { grant: { id } }: Agent,
  scopes: readonly Scope[],
): Promise<void> {
  await store.transact(async (tx) => {
    const grant = await tx.grants.find(id);
    if (grant === null) throw new Error("no grant");
    tx.grants.save({ ...grant, scopes });
  });
}

async function scopesOf(api: AgentApi, as: Agent): Promise<unknown[]> {
  const answer = await api.ask("/v1/agent/me", { as });
  return [answer.status, (await answer.json()).scopes];
}

async function bid(
  api: AgentApi,
  as: Agent,
  key: string,
): Promise<unknown[]> {
  const answer = await postBid(api, as, {}, key);
  return [answer.status, (await answer.json()).code ?? null];
}

Deno.test("the first request after the user changed the scopes is judged as every later one", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: ALL });
  assertEquals(await scopesOf(api, ada), [200, ALL]);
  for (let nth = 0; nth < 3; nth++) {
    await tick(api, ada, FEWER);
    for (let again = 0; again < 2; again++) {
      assertEquals(await scopesOf(api, ada), [200, FEWER]);
    }
    await tick(api, ada, ALL);
    for (let again = 0; again < 2; again++) {
      assertEquals(await scopesOf(api, ada), [200, ALL]);
    }
  }
});

Deno.test("a bid after the user took bids:write away and gave it back is judged by what holds, body and all", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: ALL });
  await scopesOf(api, ada);
  await tick(api, ada, FEWER);
  const missing = [403, "agent.scope-missing"];
  assertEquals(await bid(api, ada, "one"), missing);
  assertEquals(await bid(api, ada, "one"), missing);
  await tick(api, ada, ALL);
  assertEquals(await bid(api, ada, "one"), [200, null]);
});

Deno.test("the first call of a tool after the user changed the scopes is judged as every later one", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: ALL });
  const scopes = async () =>
    (await callTool(api, ada, "get_account")).content.scopes;
  assertEquals(await scopes(), ALL);
  await tick(api, ada, FEWER);
  assertEquals(await scopes(), FEWER);
  await tick(api, ada, ALL);
  assertEquals(await scopes(), ALL);
});
