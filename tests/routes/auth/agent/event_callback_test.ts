/** An agent sets where it is told of events, and verifies what comes. */
import { assert, assertEquals } from "@std/assert";
import { sweepCallbacks } from "../../../../domain/callbacks/sweep_callbacks.ts";
import { type AgentApi, openAgentApi } from "../../../support/agent_api.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import { issueAccessToken } from "../../../../tools/demo/issue_access_token.ts";
import { documentText, fencesOf } from "../../../support/documents.ts";
import { callTool } from "../../../support/mcp_agent.ts";
import { OUTSIDE } from "../../../support/outside.ts";
import { removed, tell } from "../../../support/told_events.ts";

const CALLBACK = "/v1/agent/events/callback";
const URL_TEXT = "https://agent.example/hooks";
const scopes = ["account:read", "account:write", "reports:read"] as const;

function put(
  api: AgentApi,
  as: Agent,
  body: unknown,
  key = "key-1",
): Promise<Response> {
  return api.ask(CALLBACK, {
    method: "PUT",
    as,
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(body),
  });
}

Deno.test("PUT /v1/agent/events/callback sets the callback of its connection, and says the secret once", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes });
  const set = await put(api, ada, { url: URL_TEXT });
  const said = await set.json();
  assertEquals([set.status, said.url, said.state], [200, URL_TEXT, "on"]);
  assert(said.secret.startsWith("whsec_"));
  const repeated = await put(api, ada, { url: URL_TEXT });
  assertEquals(await repeated.json(), said);
  const read = await api.ask(CALLBACK, { as: ada });
  assertEquals(await read.json(), { ...said, secret: null });
  const tool = await callTool(api, ada, "set_event_callback", { url: null });
  assertEquals(tool.content.state, "none");
});

for (
  const [what, body] of Object.entries({
    "an address in a private network": { url: "https://10.0.0.1/" },
    "an address that is too long": {
      url: `https://a.example/${"x".repeat(600)}`,
    },
    "a member that is unknown": { url: null, events: [] },
    "no address": {},
  })
) {
  Deno.test(`PUT /v1/agent/events/callback refuses ${what}`, async () => {
    await using api = await openAgentApi();
    const ada = await api.world.agent("ada", { scopes });
    const answer = await put(api, ada, body);
    const { code } = await answer.json();
    assertEquals([answer.status, code], [400, "agent.bad-request"]);
  });
}

Deno.test("a message that is sent is verified by the example of the documents", async () => {
  const example = fencesOf(documentText("/developers.md"))
    .find(({ mark }) => mark === "file=verify.mjs");
  const source = example?.text.split("\n// Try it")[0] ?? "";
  const { verify } = await import(
    `data:text/javascript,${encodeURIComponent(source)}`
  );
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes });
  const { secret } = await (await put(api, ada, { url: URL_TEXT })).json();
  // deno-lint-ignore no-explicit-any -- what came, as a receiver has it
  const came: any[] = [];
  const notify = (_url: string, message: unknown) => {
    came.push(message);
    return Promise.resolve(204);
  };
  const fetcher = { ...OUTSIDE.fetcher, notify };
  const services = { ...api.world.services, fetcher };
  await tell(services, ada.account.id, removed("a"));
  await sweepCallbacks(services);
  const [{ headers, body }] = came;
  const nowS = services.clock.now() / 1_000;
  assertEquals(verify(secret, headers, body, nowS), true);
  assertEquals(verify(secret, headers, `${body} `, nowS), false);
  assertEquals(verify(secret, headers, body, nowS + 301), false);
  const other = `whsec_${btoa("another secret of thirty-two byte")}`;
  assertEquals(verify(other, headers, body, nowS), false);
});

/** Has another Spotlight removed, and says of which the callback has told. */
function listener({ world: { services } }: AgentApi, { account }: Agent) {
  const came: unknown[] = [];
  const notify = (_url: string, { body }: { body: string }) => {
    came.push(JSON.parse(body).data.day);
    return Promise.resolve(204);
  };
  const telling = { ...services, fetcher: { ...OUTSIDE.fetcher, notify } };
  return async (day: string): Promise<unknown[]> => {
    await tell(services, account.id, removed(day));
    await sweepCallbacks(telling);
    return came;
  };
}

Deno.test("a callback that a token of fewer scopes has set tells no more than that token could read", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", { scopes });
  const narrowing = { scopes: ["account:write" as const] };
  const { services } = api.world;
  const { text } = await issueAccessToken(services, ada.grant.id, narrowing);
  const toldOf = listener(api, ada);
  const told = async (as: Agent, day: string): Promise<unknown[]> => {
    const set = await put(api, as, { url: URL_TEXT }, `key-${day}`);
    assertEquals([set.status, (await set.json()).url], [200, URL_TEXT]);
    return await toldOf(day);
  };
  assertEquals(await told({ ...ada, accessToken: text }, "a"), []);
  // By all that the connection may, it is told of the next ones.
  assertEquals(await told(ada, "b"), ["b"]);
  const { text: reader } = await issueAccessToken(services, ada.grant.id, {
    scopes: ["account:read"],
  });
  const sentTo = async (as: Agent) => {
    const record = await (await api.ask(CALLBACK, { as })).json();
    return record.last_deliveries.map(({ type }: { type: string }) => type);
  };
  assertEquals(await sentTo(ada), ["spotlight.removed"]);
  assertEquals(await sentTo({ ...ada, accessToken: reader }), []);
});

Deno.test("a callback tells no more than the token could read that set it, once its connection is allowed more", async () => {
  await using api = await openAgentApi();
  const few = { scopes: ["account:read", "account:write"] as const };
  const ada = await api.world.agent("ada", few);
  const { services } = api.world;
  const toldOf = listener(api, ada);
  await (await put(api, ada, { url: URL_TEXT }, "key-1")).body?.cancel();
  await services.store.transact(async (tx) => {
    const grant = await tx.grants.find(ada.grant.id);
    assert(grant !== null);
    tx.grants.save({ ...grant, scopes });
  });
  assertEquals(await toldOf("a"), []);
  const { text } = await issueAccessToken(services, ada.grant.id, { scopes });
  const wider = { ...ada, accessToken: text };
  await (await put(api, wider, { url: URL_TEXT }, "key-2")).body?.cancel();
  assertEquals(await toldOf("b"), ["b"]);
});
