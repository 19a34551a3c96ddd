/**
 * One operation over both surfaces of the advertiser: the agent API and the
 * tool server.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { type Scope, SCOPES } from "../../domain/oauth/grant.ts";
import type { AgentApi } from "./agent_api.ts";
import { type Agent, BID_DAY } from "./bidding_world.ts";
import { type BillingApi, openBillingApi } from "./billing_api.ts";
import { invoiceOf, saveInvoice } from "./invoices.ts";
import { callTool, type McpAsk } from "./mcp_agent.ts";
import type { Params } from "./mcp_calls.ts";
import { savePasskeys } from "./passkeys.ts";

/** A request of the agent API and the call that means the same. */
export interface Twin {
  tool: string;
  given: Params;
  /** Method and path with query. */
  rest: string;
  body?: unknown;
  key?: string;
}

/** An advertiser with all scopes and something of everything, and another. */
export interface TwinWorld extends AsyncDisposable {
  api: BillingApi;
  ada: Agent;
  bob: Agent;
}

/** Opens the world; ada has two cards, two passkeys, invoices and an ad. */
export async function openTwins(
  scopes: readonly Scope[] = SCOPES,
): Promise<TwinWorld> {
  const api = await openBillingApi();
  const ada = await api.billing("ada", ["visa", "mastercard"], scopes);
  const bob = await api.world.agent("bob", { scopes: SCOPES });
  for (const number of ["SPOT-0001", "SPOT-0002", "SPOT-0003"]) {
    const owner = number === "SPOT-0003" ? bob : ada;
    const invoice = invoiceOf(owner.account.id, number);
    await saveInvoice(api.world.services, invoice);
  }
  await savePasskeys(api.world.services, ada, ["pk_phone", "pk_laptop"]);
  return {
    api,
    ada,
    bob,
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/** Sends the request of the agent API. */
export function askRest(
  api: AgentApi,
  as: Agent,
  { rest, body, key }: Twin,
): Promise<Response> {
  const [method = "GET", path = ""] = rest.split(" ");
  const headers: Record<string, string> = {};
  if (key !== undefined) headers["idempotency-key"] = key;
  if (body !== undefined) headers["content-type"] = "application/json";
  return api.ask(path, {
    as,
    method,
    headers,
    ...body !== undefined && { body: JSON.stringify(body) },
  });
}

/** Holds that both surfaces say the same now; the JSON that they say. */
export async function assertTwins(
  api: AgentApi,
  as: Agent,
  twin: Twin,
  options: McpAsk = {},
  // deno-lint-ignore no-explicit-any -- tests compare what they expect of it
): Promise<any> {
  const rest = await askRest(api, as, twin);
  const said = await rest.json();
  const told = await callTool(api, as, twin.tool, twin.given, options);
  const name = JSON.stringify(twin);
  const wanted = asResources(api, said);
  assertEquals([told.isError, told.content], [!rest.ok, wanted], name);
  assertEquals(JSON.parse(told.text), told.content, name);
  return said;
}

/** Documents of an answer where a token for the tool server opens them. */
function asResources({ world }: AgentApi, said: unknown): unknown {
  const at = `${world.services.settings.authUrl}/v1/agent/`;
  const text = JSON.stringify(said)
    .replaceAll(`"pdf":"${at}`, '"pdf":"spotlight://')
    .replaceAll(`"document":"${at}`, '"document":"spotlight://');
  return asToolsSay(JSON.parse(text));
}

/** A refusal as models read it: it names tools where requests are named. */
function asToolsSay(said: { detail?: string }): unknown {
  if (said.detail === undefined) return said;
  const detail = said.detail
    .replace(/GET \/v1\/agent\/\w+ \((\w+)\)/g, "$1")
    .replace(/GET (http\S+\/v1\/agent\/me\S*)/g, (_, url) => {
      const asked = [...new URL(url).searchParams].map(([name, value]) => [
        name,
        name === "amount_cents" ? Number(value) : value,
      ]);
      return asked.length === 0
        ? "get_account"
        : `get_account with ${JSON.stringify(Object.fromEntries(asked))}`;
    })
    .replace("its Idempotency-Key", "its idempotency_key");
  return { ...said, detail };
}

/** The call that places a bid of the agent, and the request it stands for. */
export function bidTwin(agent: Agent, changes: Params = {}): Twin {
  const { idempotency_key: key, ...members } = {
    day: BID_DAY,
    ad_id: agent.adId,
    amount_cents: 1_000,
    currency: "EUR",
    idempotency_key: "key-1",
    ...changes,
  };
  return {
    tool: "place_bid",
    given: { ...members, idempotency_key: key },
    rest: "POST /v1/agent/bids",
    body: members,
    key: String(key),
  };
}
