import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import { issueAccessToken } from "../../../../tools/demo/issue_access_token.ts";
import type { Resource } from "../../../../domain/oauth/resource.ts";
import { type AgentApi, openAgentApi } from "../../../support/agent_api.ts";
import { type Agent, BID_DAY } from "../../../support/bidding_world.ts";
import { callTool, rpc } from "../../../support/mcp_agent.ts";
import { WORKING_SET } from "../../../support/working_set.ts";

const DOCUMENT =
  "https://api.spotlight.example/.well-known/oauth-protected-resource/mcp";

/** Eras whose requests differ on the wire, and must not in what they say. */
const ERAS = [{ old: false }, { old: true }];

/** The same agent with a token that is for less. */
async function tokenFor(
  { world: { services } }: AgentApi,
  agent: Agent,
  resources: readonly Resource[],
): Promise<Agent> {
  const narrowing = { resources };
  const { id } = agent.grant;
  const { text } = await issueAccessToken(services, id, narrowing);
  return { ...agent, accessToken: text };
}

Deno.test("the advertiser server answers a missing token with an empty 401 that names its own document", async () => {
  await using api = await openAgentApi();
  for (const era of ERAS) {
    const answer = await rpc(api, "tools/list", {}, era);
    assertEquals(answer.status, 401);
    assertEquals(await answer.text(), "");
    assertEquals(
      answer.headers.get("www-authenticate"),
      `Bearer resource_metadata="${DOCUMENT}", scope="${WORKING_SET}"`,
    );
  }
});

Deno.test("the advertiser server answers a token that is none with 401 invalid_token", async () => {
  await using api = await openAgentApi();
  const headers = { authorization: "Bearer svc_at_nothing" };
  const answer = await rpc(api, "tools/list", {}, { headers });
  assertEquals(answer.status, 401);
  assertEquals((await answer.json()).error, "invalid_token");
  const challenge = answer.headers.get("www-authenticate") ?? "";
  assert(challenge.includes(`resource_metadata="${DOCUMENT}"`), challenge);
  assert(challenge.includes('error="invalid_token"'), challenge);
});

Deno.test("the advertiser server takes tokens for {auth_url} and {auth_url}/mcp, and no others", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  for (
    const [resource, status] of [["agent", 200], ["mcp", 200], [
      "site",
      401,
    ]] as const
  ) {
    const as = await tokenFor(api, ada, [resource]);
    const answer = await rpc(api, "tools/list", {}, { as });
    await answer.body?.cancel();
    assertEquals(answer.status, status, resource);
  }
});

Deno.test("a token for {auth_url}/mcp is none for the agent API", async () => {
  await using api = await openAgentApi();
  const as = await tokenFor(api, await api.world.agent("ada"), ["mcp"]);
  const answer = await api.ask("/v1/agent/me", { as });
  assertEquals(answer.status, 401);
  const { error, error_description } = await answer.json();
  assertEquals(error, "invalid_token");
  // No refresh would help: the token is good, and for something else.
  assertStringIncludes(error_description, "authorize again with resource=");
});

Deno.test("a revoked grant fails the next request of the advertiser server", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  for (const era of ERAS) {
    assertEquals((await rpc(api, "ping", {}, { as: ada, ...era })).ok, era.old);
  }
  await revokeGrant(api.world.services, {
    accountId: ada.account.id,
    grantId: ada.grant.id,
    reason: "user",
  });
  for (const era of ERAS) {
    const answer = await rpc(api, "tools/list", {}, { as: ada, ...era });
    assertEquals(answer.status, 401);
    assertEquals((await answer.json()).error, "invalid_token");
  }
});

Deno.test("the advertiser server draws on the bucket that the agent API draws on", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  for (let at = 0; at < 60; at++) {
    await callTool(api, ada, "get_auction", { day: BID_DAY });
    const beside = await api.ask(`/v1/agent/auction?day=${BID_DAY}`, {
      as: ada,
    });
    await beside.body?.cancel();
    assertEquals(beside.status, 200);
  }
  for (const era of ERAS) {
    const answer = await rpc(api, "tools/list", {}, { as: ada, ...era });
    assertEquals(answer.status, 429);
    assertEquals(answer.headers.get("retry-after"), "1");
    assertEquals((await answer.json()).code, "agent.rate-limited");
  }
  const other = await api.world.agent("bob");
  assertEquals((await rpc(api, "tools/list", {}, { as: other })).status, 200);
});

Deno.test("the advertiser server answers other methods with 405, and unknown paths below it with 404", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  for (const method of ["GET", "PUT", "DELETE"]) {
    const headers = { host: "api.spotlight.example" };
    const answer = await api.ask("/mcp", { as: ada, method, headers });
    await answer.body?.cancel();
    assertEquals([answer.status, answer.headers.get("allow")], [405, "POST"]);
  }
  const answer = await api.ask("/mcp/x", { as: ada });
  assertEquals(answer.status, 404);
  assertEquals((await answer.json()).code, "agent.not-found");
});
