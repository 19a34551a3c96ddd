/**
 * Agents that have bought a report each, and look at it beside what else they ask
 * of the API.
 *
 * @module
 */
import { assert } from "@std/assert";
import { CHECKOUT_PATH } from "../../domain/checkout/session_body.ts";
import type { Services } from "../../domain/ports.ts";
import { renderPublic } from "../../routes/errors/public_surface.ts";
import { routeTable } from "../../routes/route_table.ts";
import { checkoutSurface } from "../../routes/site/checkout/checkout_surface.ts";
import type { AgentApi } from "./agent_api.ts";
import type { Agent } from "./bidding_world.ts";
import { askHost, bindings } from "./bindings.ts";
import { settle, settledDays } from "./public_spotlights.ts";

/** What an agent asks for; a key is used once. */
export type Asks = (
  as: Agent,
  by: { key: string; signal: AbortSignal },
) => Promise<Response | void>;

const MERCHANT = { profileId: "profile", environment: "test" } as const;

/** Has each of them buy the figures of a day that has many; how they look at it. */
export async function buyReports(
  { world: { services }, limiter }: AgentApi,
  agents: readonly Agent[],
): Promise<Record<"session" | "resource", Asks>> {
  const bought = await keepReports(services, agents);
  const parts = { services, limiter, trustedProxyHops: 0, merchant: MERCHANT };
  const host = routeTable(services, [
    checkoutSurface(parts),
    { prefix: "", routes: [], answers: { refused: renderPublic } },
  ]);
  const look = (part: string): Asks => async ({ grant, accessToken }) => {
    const path = `${CHECKOUT_PATH}/${bought.get(grant.id)}${part}`;
    const headers = {
      authorization: `Bearer ${accessToken}`,
      "api-version": "2026-04-17",
    };
    const url = `${services.settings.baseUrl}${path}`;
    const answer = await askHost(host, url, { headers }, bindings());
    assert([200, 429, 503].includes(answer.status), `${answer.status}`);
    return answer;
  };
  return { session: look(""), resource: look("/resource") };
}

/** The sessions, by grant. */
async function keepReports(
  { store, clock }: Services,
  agents: readonly Agent[],
): Promise<ReadonlyMap<string, string>> {
  const [settled] = settledDays(1);
  assert(settled);
  const { day } = settled;
  await settle(store, settled);
  const nowMs = clock.now();
  const bought = agents.map(({ grant }, nth) => ({
    id: `cs_${nth.toString(16).padStart(32, "0")}`,
    grantId: grant.id,
    status: "completed" as const,
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
