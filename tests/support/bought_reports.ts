/**
 * Agents that have bought a report each, and look at it, make checkouts or change
 * them beside what else they ask of the API.
 *
 * @module
 */
import { assert } from "@std/assert";
import { CHECKOUT_PATH } from "../../domain/checkout/session_body.ts";
import type { Day } from "../../domain/day.ts";
import type { Services } from "../../domain/ports.ts";
import { renderPublic } from "../../routes/errors/public_surface.ts";
import { routeTable } from "../../routes/route_table.ts";
import { checkoutSurface } from "../../routes/site/checkout/checkout_surface.ts";
import type { AgentApi } from "./agent_api.ts";
import type { Agent } from "./bidding_world.ts";
import { askHost, bindings } from "./bindings.ts";
import { cartOf, paymentOf } from "./checkout_calls.ts";
import { settle, settledDays } from "./public_spotlights.ts";

/** What an agent asks for; a key is used once. */
export type Asks = (
  as: Agent,
  by: { key: string; signal: AbortSignal },
) => Promise<Response | void>;

const MERCHANT = { profileId: "profile", environment: "test" } as const;

/** What is asked of the checkout. */
type AsksCheckout = (
  as: Agent,
  path: string,
  posted?: { key: string; body: unknown },
) => Promise<Response>;

/** Has each of them buy the figures of a day that has many; how they look at it. */
export async function buyReports(
  api: AgentApi,
  agents: readonly Agent[],
): Promise<Record<"session" | "resource", Asks>> {
  const { services } = api.world;
  const { day } = await settleOne(services);
  const bought = await keepReports(services, day, agents, "completed");
  const ask = checkoutOf(api);
  const look = (part: string): Asks => (as) =>
    ask(as, `/${bought.get(as.grant.id)}${part}`);
  return { session: look(""), resource: look("/resource") };
}

/** How each of them makes a checkout of a day, and changes one that it has. */
export async function checkouts(
  api: AgentApi,
  agents: readonly Agent[],
): Promise<Record<"create" | "update" | "complete unknown", Asks>> {
  const { services } = api.world;
  const { day } = await settleOne(services);
  const open = await keepReports(services, day, agents, "ready_for_payment");
  const ask = checkoutOf(api);
  return {
    create: (as, { key }) => ask(as, "", { key, body: cartOf(day) }),
    update: (as, { key }) => {
      const { line_items } = cartOf(day);
      return ask(as, `/${open.get(as.grant.id)}`, {
        key,
        body: { line_items },
      });
    },
    "complete unknown": (as, { key }) => {
      const path = `/cs_${key.replaceAll("-", "")}/complete`;
      return ask(as, path, { key, body: paymentOf("spt_1") });
    },
  };
}

/** Asks the checkout beside the API, whose limits it shares. */
function checkoutOf({ world: { services }, limiter }: AgentApi): AsksCheckout {
  const parts = { services, limiter, trustedProxyHops: 0, merchant: MERCHANT };
  const host = routeTable(services, [
    checkoutSurface(parts),
    { prefix: "", routes: [], answers: { refused: renderPublic } },
  ]);
  return async function askCheckout({ accessToken }, path, posted) {
    const headers = {
      authorization: `Bearer ${accessToken}`,
      "api-version": "2026-04-17",
      ...posted !== undefined && {
        "content-type": "application/json",
        "idempotency-key": posted.key,
      },
    };
    const url = `${services.settings.baseUrl}${CHECKOUT_PATH}${path}`;
    const init = posted === undefined
      ? { headers }
      : { method: "POST", headers, body: JSON.stringify(posted.body) };
    const answer = await askHost(host, url, init, bindings());
    const { status } = answer;
    assert([200, 201, 404, 429, 503].includes(status), `${status}`);
    return answer;
  };
}

/** Settles a day that can be bought. */
async function settleOne({ store }: Services): Promise<{ day: Day }> {
  const [settled] = settledDays(1);
  assert(settled);
  await settle(store, settled);
  return settled;
}

/** The sessions, by grant. */
async function keepReports(
  { store, clock }: Services,
  day: Day,
  agents: readonly Agent[],
  status: "completed" | "ready_for_payment",
): Promise<ReadonlyMap<string, string>> {
  const nowMs = clock.now();
  const bought = agents.map(({ grant }, nth) => ({
    id: `cs_${nth.toString(16).padStart(32, "0")}`,
    grantId: grant.id,
    status,
    day,
    merchant: MERCHANT,
    attempts: 1,
    payingKey: null,
    notice: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    openUntilMs: nowMs + 3_600_000,
    refundBegunAtMs: null,
    expiresAtMs: null,
  }));
  await store.transact((tx) => {
    for (let hour = 0; hour < 24; hour++) {
      const at = `${day}T${String(hour).padStart(2, "0")}`;
      tx.clickCounts.add(1, day, "hour", at);
    }
    for (const session of bought) tx.checkoutSessions.save(session);
  });
  return new Map(bought.map(({ id, grantId }) => [grantId, id]));
}
