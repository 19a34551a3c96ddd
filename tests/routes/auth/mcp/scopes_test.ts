import { assert, assertEquals } from "@std/assert";
import { type Scope, SCOPES } from "../../../../domain/oauth/grant.ts";
import { issueAccessToken } from "../../../../tools/demo/issue_access_token.ts";
import { advertiserTools } from "../../../../routes/auth/mcp/advertiser_tools.ts";
import { type AgentApi, openAgentApi } from "../../../support/agent_api.ts";
import { resultOf, rpc, toolNames } from "../../../support/mcp_agent.ts";

const ERAS = [{ old: false }, { old: true }];

/** Every tool of the server with the scope it takes. */
function tools({ world }: AgentApi): [name: string, scope: Scope][] {
  return advertiserTools(world.services).map(({ name, scope }) => {
    assert(scope !== null, `${name} takes a scope`);
    return [name, scope];
  });
}

Deno.test("tools/list shows exactly the tools whose scope the token holds, always in one order", async () => {
  await using api = await openAgentApi();
  const all = tools(api);
  for (const scope of SCOPES) {
    const name = scope.replace(":", "_");
    const as = await api.world.agent(name, { scopes: [scope] });
    const wanted = all.filter((tool) => tool[1] === scope).map(([each]) =>
      each
    );
    for (const era of ERAS) {
      assertEquals(await toolNames(api, { as, ...era }), wanted, scope);
    }
  }
  const as = await api.world.agent("ada", { scopes: SCOPES });
  assertEquals(await toolNames(api, { as }), all.map(([name]) => name));
});

Deno.test("a tool whose scope the token lacks is answered 403 with the scope to ask for, whatever is given", async () => {
  await using api = await openAgentApi();
  const reader = { scopes: ["account:read"] as const };
  const writer = { scopes: ["bids:write"] as const };
  const ada = await api.world.agent("ada", reader);
  const bob = await api.world.agent("bob", writer);
  for (const [name, scope] of tools(api)) {
    const as = scope === "account:read" ? bob : ada;
    for (const era of ERAS) {
      const params = { name, arguments: { anything: 1 } };
      const answer = await rpc(api, "tools/call", params, { as, ...era });
      const body = await answer.json();
      assertEquals([answer.status, body.error], [403, "insufficient_scope"]);
      const challenge = answer.headers.get("www-authenticate") ?? "";
      assert(challenge.startsWith("Bearer "), challenge);
      // What an old client is granted next is what it is told here.
      const held = as.grant.scopes.join(" ");
      const asked = era.old ? `${scope} ${held}` : scope;
      for (
        const part of [
          'error="insufficient_scope"',
          `scope="${asked}"`,
          'resource_metadata="https://api.spotlight.example/.well-known/' +
          'oauth-protected-resource/mcp"',
        ]
      ) assert(challenge.includes(part), `${name}: ${challenge}`);
      api.world.clock.advance(1_000);
    }
  }
});

Deno.test("an unknown tool is an error of the protocol for every token", async () => {
  await using api = await openAgentApi();
  const as = await api.world.agent("ada", { scopes: ["account:read"] });
  for (const name of ["nope", "__proto__", "constructor", "Place_bid"]) {
    for (const era of ERAS) {
      const params = { name, arguments: {} };
      const answer = await rpc(api, "tools/call", params, { as, ...era });
      assertEquals(answer.status, 200);
      assertEquals((await answer.json()).error.code, -32602, name);
    }
  }
});

Deno.test("resources follow scopes as tools do", async () => {
  await using api = await openAgentApi();
  const bids = await api.world.agent("bids", { scopes: ["bids:read"] });
  const account = await api.world.agent("acc", { scopes: ["account:read"] });
  const uris = async (as: typeof bids) => {
    const listed = await resultOf(await rpc(api, "resources/list", {}, { as }));
    const templates = await resultOf(
      await rpc(api, "resources/templates/list", {}, { as }),
    );
    return [
      ...listed.resources.map(({ uri }: { uri: string }) => uri),
      ...templates.resourceTemplates.map(
        ({ uriTemplate }: { uriTemplate: string }) => uriTemplate,
      ),
    ];
  };
  assertEquals(await uris(bids), [
    "spotlight://tools",
    "spotlight://bids/{day}",
  ]);
  assertEquals(await uris(account), [
    "spotlight://tools",
    "spotlight://account",
  ]);
  for (
    const [as, uri, scope] of [
      [bids, "spotlight://account", "account:read"],
      [account, "spotlight://bids/2026-11-20", "bids:read"],
    ] as const
  ) {
    const answer = await rpc(api, "resources/read", { uri }, { as });
    await answer.body?.cancel();
    assertEquals(answer.status, 403);
    const challenge = answer.headers.get("www-authenticate") ?? "";
    assert(challenge.includes(`scope="${scope}"`), challenge);
  }
});

Deno.test("a token of fewer scopes than its grant is held to its own", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes: SCOPES });
  const narrowing = { scopes: ["bids:read" as const] };
  const { services } = api.world;
  const { text } = await issueAccessToken(services, ada.grant.id, narrowing);
  const as = { ...ada, accessToken: text };
  assertEquals(await toolNames(api, { as }), ["list_my_bids", "get_bid"]);
});
