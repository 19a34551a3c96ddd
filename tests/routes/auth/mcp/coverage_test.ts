import { assert, assertEquals } from "@std/assert";
import { SCOPES } from "../../../../domain/oauth/grant.ts";
import { agentSurface } from "../../../../routes/auth/agent/agent_routes.ts";
import { advertiserTools } from "../../../../routes/auth/mcp/advertiser_tools.ts";
import type { RouteServices } from "../../../../routes/context.ts";
import { type AgentApi, openAgentApi } from "../../../support/agent_api.ts";

/**
 * The tool of each operation (contract §7.1). A new operation of the agent API
 * is a line here and a tool in `routes/auth/mcp`; documents that are no JSON
 * have none.
 */
const TOOL_OF: Readonly<Record<string, string | null>> = {
  "GET /v1/agent/me": "get_account",
  "PATCH /v1/agent/me": "update_account",
  "GET /v1/agent/auction": "get_auction",
  "GET /v1/agent/bids": "list_my_bids",
  "GET /v1/agent/bids/:id": "get_bid",
  "POST /v1/agent/bids": "place_bid",
  "GET /v1/agent/creatives": "list_creatives",
  "GET /v1/agent/creatives/:id": "get_creative",
  "POST /v1/agent/creatives": "create_creative",
  "PATCH /v1/agent/creatives/:id": "update_creative",
  "POST /v1/agent/creatives/:id/submit": "submit_creative",
  "POST /v1/agent/creatives/:id/archive": "archive_creative",
  "GET /v1/agent/invoices": "list_invoices",
  "GET /v1/agent/invoices/:number": "get_invoice",
  "GET /v1/agent/invoices/:number/pdf": null,
  "GET /v1/agent/invoices/:number/credit_notes/:note/pdf": null,
  "GET /v1/agent/payment_methods": "list_payment_methods",
  "POST /v1/agent/payment_methods/:id/default": "set_default_payment_method",
  "DELETE /v1/agent/payment_methods/:id": "remove_payment_method",
  "POST /v1/agent/billing_portal": "open_billing_portal",
  "GET /v1/agent/reports": "list_reports",
  "GET /v1/agent/reports/:day": "get_report",
  "GET /v1/agent/connections": "list_connections",
  "DELETE /v1/agent/connections/:id": "revoke_connection",
  "GET /v1/agent/passkeys": "list_passkeys",
  "DELETE /v1/agent/passkeys/:id": "remove_passkey",
};

function operations({ world: { services } }: AgentApi): string[] {
  const limiter = {
    take: () => ({ admitted: true as const, remaining: 1 }),
    takeAll: () => Promise.resolve({ admitted: true as const }),
    close: () => Promise.resolve(),
  };
  const parts: RouteServices = { services, limiter, trustedProxyHops: 0 };
  return agentSurface(parts).routes.map(({ method, path }) =>
    `${method} ${path}`
  );
}

Deno.test("every operation of the agent API has its tool, and every tool its operation", async () => {
  await using api = await openAgentApi();
  assertEquals(operations(api).toSorted(), Object.keys(TOOL_OF).toSorted());
  const names = advertiserTools(api.world.services).map(({ name }) => name);
  const wanted = Object.values(TOOL_OF).filter((name) => name !== null);
  assertEquals(names.toSorted(), wanted.toSorted());
});

Deno.test("a tool takes the scope that its operation asks for, and reads where that reads", async () => {
  await using api = await openAgentApi();
  const tools = advertiserTools(api.world.services);
  for (const [operation, name] of Object.entries(TOOL_OF)) {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) continue;
    const others = SCOPES.filter((scope) => scope !== tool.scope);
    const id = `${name}_${others.length}`;
    const as = await api.world.agent(id, { scopes: others });
    const [method = "", path = ""] = operation.split(" ");
    const answer = await api.ask(path.replaceAll(/:\w+/g, "x"), { as, method });
    await answer.body?.cancel();
    assertEquals(answer.status, 403, operation);
    const challenge = answer.headers.get("www-authenticate") ?? "";
    assert(challenge.includes(`scope="${tool.scope}"`), operation);
    assertEquals(tool.annotations.readOnlyHint, method === "GET", operation);
  }
});

Deno.test("place_bid says that it spends, and may be repeated only by its required key", async () => {
  await using api = await openAgentApi();
  const tools = advertiserTools(api.world.services);
  const tool = tools.find(({ name }) => name === "place_bid");
  assertEquals(tool?.annotations, {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  });
  const required = tool?.input.json["required"];
  assert(Array.isArray(required) && required.includes("idempotency_key"));
});
