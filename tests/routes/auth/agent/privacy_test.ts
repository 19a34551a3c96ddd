import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { COPIES } from "../../../../domain/rate_limit/policy.ts";
import { fulfilRequests } from "../../../../domain/privacy/fulfil_requests.ts";
import { type AgentApi, openAgentApi } from "../../../support/agent_api.ts";
import { assertAsksScope } from "../../../support/asks_scope.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import { issueAccessToken } from "../../../../tools/demo/issue_access_token.ts";
import { callTool, resultOf, rpc } from "../../../support/mcp_agent.ts";

const EXPORTS = "/v1/agent/privacy/exports";

function withPrivacy({ world }: AgentApi, name = "ada"): Promise<Agent> {
  return world.agent(name, { scopes: ["privacy:write"] });
}

function ask(
  api: AgentApi,
  as: Agent,
  key: string | null = "copy-1",
): Promise<Response> {
  const headers: Record<string, string> = {};
  if (key !== null) headers["idempotency-key"] = key;
  return api.ask(EXPORTS, { as, method: "POST", headers });
}

Deno.test("POST /v1/agent/privacy/exports prepares a copy once a key, which its agent reads until it ends", async () => {
  await using api = await openAgentApi();
  const ada = await withPrivacy(api);
  const first = await ask(api, ada);
  assertEquals(first.status, 202);
  const asked = await first.json();
  assertEquals(Object.keys(asked), [
    "id",
    "status",
    "requested_at",
    "ready_at",
    "expires_at",
    "bytes",
    "document",
  ]);
  assertEquals([asked.status, asked.document], ["preparing", null]);
  const again = await ask(api, ada);
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  assertEquals(await again.json(), asked);
  const early = await api.ask(`${EXPORTS}/${asked.id}/document`, { as: ada });
  assertEquals(early.status, 404);
  await early.body?.cancel();
  await fulfilRequests(api.world.services);
  const read = await api.ask(`${EXPORTS}/${asked.id}`, { as: ada });
  const { status, document, bytes } = await read.json();
  assertEquals(status, "ready");
  const path = new URL(document).pathname;
  const answer = await api.ask(path, { as: ada });
  assertEquals(answer.headers.get("cache-control"), "no-store");
  const text = await answer.text();
  assertEquals(new TextEncoder().encode(text).byteLength, bytes);
  assertEquals(JSON.parse(text).account.email, "ada@example.com");
});

Deno.test("POST /v1/agent/privacy/exports without a key is 400 agent.idempotency-key-required", async () => {
  await using api = await openAgentApi();
  const ada = await withPrivacy(api);
  const answer = await ask(api, ada, null);
  const { code } = await answer.json();
  assertEquals([answer.status, code], [400, "agent.idempotency-key-required"]);
});

Deno.test("a fourth copy within a day is 429 with Retry-After", async () => {
  await using api = await openAgentApi();
  const ada = await withPrivacy(api);
  for (const key of ["1", "2", "3"]) {
    await (await ask(api, ada, key)).body?.cancel();
    await fulfilRequests(api.world.services);
  }
  const answer = await ask(api, ada, "4");
  const { code } = await answer.json();
  assertEquals([answer.status, code], [429, "agent.rate-limited"]);
  assert(Number(answer.headers.get("retry-after")) > 86_000);
});

Deno.test("a copy of another agent or account, and one that never was, are the same 404", async () => {
  await using api = await openAgentApi();
  const ada = await withPrivacy(api);
  const { id } = await (await ask(api, ada)).json();
  await fulfilRequests(api.world.services);
  const other = await withPrivacy(api);
  const bob = await withPrivacy(api, "bob");
  for (const as of [other, bob]) {
    for (const end of ["", "/document"]) {
      const answers = await Promise.all(
        [id, "exp_none"].map((each) =>
          api.ask(`${EXPORTS}/${each}${end}`, { as })
        ),
      );
      const texts = await Promise.all(answers.map((each) => each.text()));
      assertEquals(answers.map((each) => each.status), [404, 404]);
      assertEquals(texts[0]?.replaceAll(id, "exp_none"), texts[1]);
    }
  }
});

Deno.test("copies of data ask for privacy:write", async () => {
  await assertAsksScope(`POST ${EXPORTS}`, "privacy:write");
  await assertAsksScope(`GET ${EXPORTS}/exp_1`, "privacy:write");
  await assertAsksScope(`GET ${EXPORTS}/exp_1/document`, "privacy:write");
});

Deno.test("request_data_export and get_data_export answer what the requests do", async () => {
  await using api = await openAgentApi();
  const ada = await withPrivacy(api);
  const asked = await callTool(api, ada, "request_data_export", {
    idempotency_key: "copy-1",
  });
  assertEquals(asked.content, await (await ask(api, ada)).json());
  await fulfilRequests(api.world.services);
  const { id } = asked.content;
  const read = await callTool(api, ada, "get_data_export", { export_id: id });
  const direct = await api.ask(`${EXPORTS}/${id}`, { as: ada });
  assertEquals(read.content, {
    ...await direct.json(),
    document: `spotlight://privacy/exports/${id}/document`,
  });
});

Deno.test("the document that get_data_export names opens with a token for the tool server alone", async () => {
  await using api = await openAgentApi();
  const ada = await withPrivacy(api);
  const { services } = api.world;
  const narrow = { resources: ["mcp"] } as const;
  const { text } = await issueAccessToken(services, ada.grant.id, narrow);
  const as = { ...ada, accessToken: text };
  const { id } = await (await ask(api, ada)).json();
  const early = `spotlight://privacy/exports/${id}/document`;
  const refused = await rpc(api, "resources/read", { uri: early }, { as });
  assertEquals((await refused.json()).error.code, -32602);
  await fulfilRequests(services);
  const { content: { document: uri } } = await callTool(
    api,
    as,
    "get_data_export",
    { export_id: id },
  );
  for (const old of [false, true]) {
    const read = await rpc(api, "resources/read", { uri }, { as, old });
    const [{ mimeType, text }] = (await resultOf(read)).contents;
    assertEquals(mimeType, "application/json");
    assertEquals(JSON.parse(text).account.email, "ada@example.com");
    const none = uri.replace(id, "exp_none");
    const other = await rpc(api, "resources/read", { uri: none }, { as, old });
    assertEquals((await other.json()).error.code, -32602);
  }
});

Deno.test("copies that are read as resources, over HTTP and by other agents come out of one bucket of the account", async () => {
  await using api = await openAgentApi();
  const ada = await withPrivacy(api);
  const { id } = await (await ask(api, ada)).json();
  await fulfilRequests(api.world.services);
  const uri = `spotlight://privacy/exports/${id}/document`;
  const readIt = async () => {
    const read = await rpc(api, "resources/read", { uri }, { as: ada });
    return await read.json();
  };
  for (let nth = 0; nth < COPIES.capacity; nth++) {
    assert("result" in await readIt(), `copy ${nth}`);
  }
  const refused = await readIt();
  assertStringIncludes(JSON.stringify(refused.error), "seconds");
  const direct = await api.ask(`${EXPORTS}/${id}/document`, { as: ada });
  assertEquals(direct.status, 429);
  await direct.body?.cancel();
});

const ERASURE = "/v1/agent/privacy/erasure";

Deno.test("POST /v1/agent/privacy/erasure mails the user a link once a key, and erases nothing", async () => {
  await using api = await openAgentApi();
  const ada = await withPrivacy(api);
  const headers = { "idempotency-key": "gone-1" };
  const ask = () => api.ask(ERASURE, { as: ada, method: "POST", headers });
  const first = await ask();
  assertEquals(first.status, 202);
  const { requested_at, confirm_until, ...rest } = await first.json();
  assertEquals(rest, { status: "waiting", erase_at: null });
  assertEquals(
    Date.parse(confirm_until) - Date.parse(requested_at),
    86_400_000,
  );
  const again = await ask();
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  await again.body?.cancel();
  const { store } = api.world.services;
  const mails = await store.listMails({ limit: 10 });
  assertEquals(mails.map(({ kind, to }) => [kind, to]), [
    ["erasure_asked", "ada@example.com"],
  ]);
  api.world.clock.advance(30 * 86_400_000);
  await fulfilRequests(api.world.services);
  assert(await store.accounts.find(ada.account.id) !== null);
});

Deno.test("POST /v1/agent/privacy/erasure without a key is 400 agent.idempotency-key-required", async () => {
  await using api = await openAgentApi();
  const ada = await withPrivacy(api);
  const answer = await api.ask(ERASURE, { as: ada, method: "POST" });
  const { code } = await answer.json();
  assertEquals([answer.status, code], [400, "agent.idempotency-key-required"]);
});

Deno.test("request_erasure answers what the request does, and asks for privacy:write", async () => {
  await assertAsksScope(`POST ${ERASURE}`, "privacy:write");
  await using api = await openAgentApi();
  const ada = await withPrivacy(api);
  const told = await callTool(api, ada, "request_erasure", {
    idempotency_key: "gone-1",
  });
  const headers = { "idempotency-key": "gone-1" };
  const answer = await api.ask(ERASURE, { as: ada, method: "POST", headers });
  assertEquals(told.content, await answer.json());
});
