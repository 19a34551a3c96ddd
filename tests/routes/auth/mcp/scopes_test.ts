import { assert, assertEquals } from "@std/assert";
import { type Scope, SCOPES } from "../../../../domain/oauth/grant.ts";
import { refreshTokens } from "../../../../domain/oauth/refresh_tokens.ts";
import { issueAccessToken } from "../../../../tools/demo/issue_access_token.ts";
import { advertiserTools } from "../../../../routes/auth/mcp/advertiser_tools.ts";
import { AGENT_OPERATIONS } from "../../../../routes/operations/agent_operations.ts";
import { type AgentApi, openAgentApi } from "../../../support/agent_api.ts";
import { askedWith } from "../../../support/asks_scope.ts";
import { type Agent, BID_DAY } from "../../../support/bidding_world.ts";
import {
  callTool,
  type McpAsk,
  resultOf,
  rpc,
  toolNames,
} from "../../../support/mcp_agent.ts";

const ERAS = [{ old: false }, { old: true }];
const DOCUMENT = "https://api.spotlight.example/.well-known/" +
  "oauth-protected-resource/mcp";

/** Every tool of the server that is an operation, with the scope it takes. */
function tools({ world }: AgentApi): [name: string, scope: Scope][] {
  return advertiserTools(world.services).flatMap(({ name, scope }) => {
    if (name === "request_access") return [];
    assert(typeof scope === "string", `${name} takes a scope`);
    return [[name, scope]];
  });
}

/** The one sentence for whoever can't ask for scopes by itself. */
function sentence(...scopes: Scope[]): string {
  return `Cannot do this: the user has not allowed ${scopes.join(" and ")}, ` +
    "so ask them to allow it to this agent at " +
    "https://spotlight.example/agents; then, or if they have since, refresh " +
    "the token and try again";
}

/** What a call that is challenged asks for; it says the same in its body. */
async function challengeOf(
  api: AgentApi,
  call: { name: string; arguments?: Record<string, unknown> },
  options: McpAsk,
  said: string,
): Promise<string | undefined> {
  const answer = await rpc(api, "tools/call", call, options);
  assertEquals(answer.status, 403, call.name);
  assertEquals(await answer.json(), {
    error: "insufficient_scope",
    error_description: said,
  });
  const header = answer.headers.get("www-authenticate") ?? "";
  for (
    const part of [
      'Bearer error="insufficient_scope"',
      `error_description="${said}"`,
      `resource_metadata="${DOCUMENT}"`,
    ]
  ) assert(header.includes(part), `${call.name}: ${header}`);
  return /(?:^| )scope="([^"]*)"/.exec(header)?.[1];
}

Deno.test("tools/list shows every tool to every token, always in one order, with what it needs", async () => {
  await using api = await openAgentApi();
  const wanted = [...tools(api).map(([name]) => name), "request_access"];
  const holdings = [...SCOPES.map((scope) => [scope]), SCOPES];
  for (const [at, scopes] of holdings.entries()) {
    const as = await api.world.agent(`agent${at}`, { scopes });
    for (const era of ERAS) {
      assertEquals(await toolNames(api, { as, ...era }), wanted);
    }
  }
  const as = await api.world.agent("ada", { scopes: ["account:read"] });
  const listed = await resultOf(await rpc(api, "tools/list", {}, { as }));
  const described = new Map<string, string>(
    listed.tools.map((
      { name, description }: { name: string; description: string },
    ) => [name, description]),
  );
  for (const [name, scope] of tools(api)) {
    assert(described.get(name)?.endsWith(`. Needs ${scope}.`), name);
  }
  const count = AGENT_OPERATIONS.filter(({ kind }) => kind !== "download");
  assertEquals(wanted.length, count.length + 1);
});

Deno.test("every tool that takes a name of something says which tool tells it", async () => {
  await using api = await openAgentApi();
  const names = tools(api).map(([name]) => name);
  const as = await api.world.agent("ada", { scopes: ["account:read"] });
  const listed = await resultOf(await rpc(api, "tools/list", {}, { as }));
  let named = 0;
  for (const { name, inputSchema, description: what } of listed.tools) {
    for (const [argument, schema] of Object.entries(inputSchema.properties)) {
      if (!/(?:_id|^number)$/.test(argument)) continue;
      const { description = "" } = schema as { description?: string };
      const told = `${what} ${description}`.match(/[a-z]+(?:_[a-z]+)+/g) ?? [];
      assert(told.some((each) => names.includes(each)), `${name}: ${argument}`);
      named += 1;
    }
  }
  assert(named > 8, String(named));
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
      const call = { name, arguments: { anything: 1 } };
      const options = { as, ...era };
      const asked = await challengeOf(api, call, options, sentence(scope));
      const needed = askedWith(scope).split(" ");
      // What an old client is granted next is what it is told here.
      const wanted = era.old ? [...needed, ...as.grant.scopes] : needed;
      const inOrder = SCOPES.filter((each) => wanted.includes(each));
      assertEquals(asked, inOrder.join(" "), name);
      api.world.clock.advance(1_000);
    }
  }
});

Deno.test("request_access asks for what is missing of the scopes it names, and answers what is held", async () => {
  await using api = await openAgentApi();
  const held = ["account:read", "bids:read"] as const;
  const as = await api.world.agent("ada", { scopes: held });
  const name = "request_access";
  const wanted = ["billing:write", "bids:read", "invoices:read"];
  const said = sentence("billing:write", "invoices:read");
  for (const era of ERAS) {
    const call = { name, arguments: { scopes: wanted } };
    assertEquals(
      await challengeOf(api, call, { as, ...era }, said),
      era.old
        ? "account:read bids:read invoices:read billing:read billing:write"
        : "invoices:read billing:read billing:write",
    );
    const given = { scopes: ["bids:read"] };
    const answer = await callTool(api, as, name, given, era);
    assertEquals([answer.isError, answer.content], [false, { scopes: held }]);
    for (const scopes of [[], ["everything"], "bids:read", undefined]) {
      const faulty = await rpc(
        api,
        "tools/call",
        { name, arguments: { scopes } },
        { as, ...era },
      );
      assertEquals(faulty.status, 200);
      const { isError, content } = await resultOf(faulty);
      assertEquals(isError, true);
      assert(content[0].text.includes("scopes"), content[0].text);
    }
  }
});

/** The same agent, after its tokens were refreshed, with the new one. */
async function refreshed(api: AgentApi, agent: Agent): Promise<Agent> {
  const { services } = api.world;
  const { accessToken, refreshToken } = await refreshTokens(services, {
    refreshToken: agent.refreshToken,
    clientId: agent.grant.clientId,
    scopes: null,
    resources: null,
  });
  return { ...agent, accessToken, refreshToken };
}

Deno.test("an old client that refreshes when it is challenged is told in the tool's result, and nothing is done", async () => {
  await using api = await openAgentApi();
  const before = await api.world.agent("ada", { scopes: ["bids:read"] });
  const bid = {
    day: BID_DAY,
    ad_id: before.adId,
    amount_cents: 1_000,
    currency: "EUR",
    idempotency_key: "key-1",
  };
  const said = sentence("bids:write");
  const call = { name: "place_bid", arguments: bid };
  await challengeOf(api, call, { as: before, old: true }, said);
  const as = await refreshed(api, before);
  const told = await callTool(api, as, "place_bid", bid, { old: true });
  assertEquals([told.status, told.isError], [200, true]);
  const { code, status, detail } = told.content;
  assertEquals([code, status, detail], ["agent.scope-missing", 403, said]);
  assertEquals(JSON.parse(told.text), told.content);
  const { content } = await callTool(api, as, "list_my_bids", { day: BID_DAY });
  assertEquals(content, { bids: [] });

  const named = { scopes: ["billing:read"] };
  const asked = await callTool(api, as, "request_access", named, { old: true });
  assertEquals(asked.content.detail, sentence("billing:read"));
  const uri = "spotlight://account";
  const read = await rpc(api, "resources/read", { uri }, { as, old: true });
  const { error } = await read.json();
  assertEquals(error.message, sentence("account:read"));

  // New clients ask for more by themselves, old ones a while later again.
  await challengeOf(api, call, { as }, said);
  api.world.clock.advance(3_000);
  await challengeOf(api, call, { as, old: true }, said);
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

Deno.test("resources are listed to every token, and reading beyond it is a challenge", async () => {
  await using api = await openAgentApi();
  const bids = await api.world.agent("bids", { scopes: ["bids:read"] });
  const account = await api.world.agent("acc", { scopes: ["account:read"] });
  for (const as of [bids, account]) {
    const { resources } = await resultOf(
      await rpc(api, "resources/list", {}, { as }),
    );
    const { resourceTemplates } = await resultOf(
      await rpc(api, "resources/templates/list", {}, { as }),
    );
    assertEquals(resources.map(({ uri }: { uri: string }) => uri), [
      "spotlight://account",
      "spotlight://events",
    ]);
    assertEquals(
      resourceTemplates.map((each: { uriTemplate: string }) =>
        each.uriTemplate
      ),
      [
        "spotlight://bids/{day}",
        "spotlight://invoices/{number}/pdf",
        "spotlight://invoices/{number}/credit_notes/{note}/pdf",
        "spotlight://privacy/exports/{id}/document",
      ],
    );
  }
  for (
    const [as, uri, scope] of [
      [bids, "spotlight://account", "account:read"],
      [bids, "spotlight://events", "account:read"],
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
  const { content } = await callTool(api, as, "list_my_bids", { day: BID_DAY });
  assertEquals(content, { bids: [] });
  const call = { name: "get_account" };
  const said = sentence("account:read");
  assertEquals(await challengeOf(api, call, { as }, said), "account:read");
});
