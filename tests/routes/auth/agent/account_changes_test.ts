/** What the agents of one account may change together. */
import { assert, assertEquals } from "@std/assert";
import { createGrant } from "../../../../tools/demo/create_grant.ts";
import { type AgentApi, openAgentApi } from "../../../support/agent_api.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import { callTool } from "../../../support/mcp_agent.ts";

/** An account with so many agents. */
async function agentsOf(api: AgentApi, count: number): Promise<Agent[]> {
  const scopes = ["account:read", "account:write"] as const;
  const first = await api.world.agent("ada", { scopes });
  const { accountId } = first.grant;
  const more = Array.from({ length: count - 1 }, async (_, nth) => {
    const clientId = `https://agent.example/client${nth}.json`;
    const wanted = { accountId, clientId, scopes, mandate: null };
    return { ...first, ...await createGrant(api.world.services, wanted) };
  });
  return [first, ...await Promise.all(more)];
}

/** What is changed, each time to the same. */
const WISH = { contact_preferences: { review_mails: false } };

function patch(
  api: AgentApi,
  as: Agent,
  wish: unknown = WISH,
): Promise<Response> {
  return api.ask("/v1/agent/me", {
    as,
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(wish),
  });
}

async function change(api: AgentApi, as: Agent): Promise<number> {
  return (await patch(api, as)).status;
}

Deno.test("the agents of an account make 2400 changes at once together, over API and tools, then twenty a second", async () => {
  await using api = await openAgentApi();
  const [cyd, dan, ...others] = await agentsOf(api, 22);
  if (!cyd || !dan) throw new Error("two agents and twenty others");
  const statuses = new Set<number>();
  for (let nth = 0; nth < 119; nth++) {
    const all = others.map((agent) => change(api, agent));
    for (const status of await Promise.all(all)) statuses.add(status);
  }
  assertEquals(statuses, new Set([200]));
  const byTool = () => callTool(api, cyd, "update_account", WISH);
  for (let nth = 0; nth < 20; nth++) {
    assertEquals((await byTool()).isError, false);
  }
  assertEquals((await byTool()).content["code"], "agent.rate-limited");
  const refused = await patch(api, dan);
  assertEquals(refused.status, 429);
  assertEquals(refused.headers.get("retry-after"), "1");
  assertEquals(
    (await refused.json()).detail,
    "Cannot answer now: the bucket of the account is empty, retry in 1 second",
  );
  // Reading goes on, and so does everybody else.
  assertEquals((await api.ask("/v1/agent/me", { as: dan })).status, 200);
  const eve = await api.world.agent("eve", { scopes: ["account:write"] });
  assertEquals(await change(api, eve), 200);
  api.world.clock.advance(1_000);
  const later = Array.from({ length: 21 }, () => change(api, dan));
  const answered = await Promise.all(later);
  assertEquals(answered.filter((status) => status === 200).length, 20);
  assertEquals(answered.filter((status) => status === 429).length, 1);
});

Deno.test("the changes that 25 agents of an account make at once are each tried a few times only", async () => {
  let races = 0;
  const onRetry = () => {
    races += 1;
  };
  await using api = await openAgentApi({ onRetry });
  const agents = await agentsOf(api, 25);
  races = 0;
  const changed = [...agents, ...agents].map(async (agent, nth) => {
    const wish = { address: { line1: `Street ${nth}` } };
    return (await patch(api, agent, wish)).status;
  });
  assertEquals(new Set(await Promise.all(changed)), new Set([200]));
  // All but one lose at first, and few of them once more.
  assert(races <= 2 * changed.length, `${races} lost`);
});

Deno.test("an agent that is alone never finds its account's bucket empty", async () => {
  await using api = await openAgentApi();
  const [ada] = await agentsOf(api, 1);
  if (!ada) throw new Error("one agent");
  for (let second = 0; second < 3; second++) {
    const statuses = new Set<number>();
    for (let nth = 0; nth < 122; nth++) statuses.add(await change(api, ada));
    assertEquals(statuses, new Set([200, 429]));
    const answer = await api.ask("/v1/agent/me", { as: ada });
    assertEquals(
      (await answer.json()).detail,
      "Cannot answer now: the bucket of the grant is empty, retry in 1 second",
    );
    api.world.clock.advance(60_000);
  }
});
