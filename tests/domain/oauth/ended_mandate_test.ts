/** What ended with a mandate stays ended, whatever its user allows later. */
import { assertEquals } from "@std/assert";
import { DAY_MS, HOUR_MS } from "../../../domain/day.ts";
import { changeConnection } from "../../../domain/oauth/change_connection.ts";
import type { Mandate, Scope } from "../../../domain/oauth/grant.ts";
import {
  bearerStatus,
  connect,
  type Connected,
  refreshForm,
} from "../../support/oauth_flow.ts";
import { type OauthWorld, openOauthWorld } from "../../support/oauth_world.ts";
import { liveSession } from "../../support/sessions.ts";

const SCOPES: readonly Scope[] = ["account:read", "bids:read", "bids:write"];

function mandateFor({ services }: OauthWorld, ms: number): Mandate {
  return {
    maxBidCents: 5_000,
    dailyCapCents: 5_000,
    validUntilMs: services.clock.now() + ms,
  };
}

/** Allows the client on one more machine; the mandate becomes this one. */
function allow(
  world: OauthWorld,
  ms: number,
  clientId?: string,
): Promise<Connected> {
  return connect(world, {
    ...clientId !== undefined && { clientId },
    asked: { scope: SCOPES.join(" ") },
    answer: { mandate: mandateFor(world, ms) },
  });
}

/** Its user brings the mandate's end forward on the agents page. */
async function bringForward(
  world: OauthWorld,
  { grantId }: Connected,
): Promise<void> {
  await changeConnection(world.services, {
    session: {
      ...liveSession("acc_ada"),
      authTimeMs: world.services.clock.now(),
    },
    grantId,
    scopes: SCOPES,
    mandate: mandateFor(world, HOUR_MS / 2),
  });
}

const ENDS: Record<
  string,
  (world: OauthWorld, old: Connected) => Promise<unknown>
> = {
  "on the agents page": bringForward,
  "by a consent on another machine": (world, { clientId }) =>
    allow(world, HOUR_MS / 2, clientId),
};

for (const [where, end] of Object.entries(ENDS)) {
  Deno.test(`tokens that ended with a mandate which was brought forward ${where} are not good again after the next consent`, async () => {
    await using world = await openOauthWorld({ opened: true });
    const { clock } = world.bidding;
    const old = await allow(world, 30 * DAY_MS);
    await end(world, old);
    clock.advance(HOUR_MS / 2);
    assertEquals(await bearerStatus(world, old.tokens.access_token), 401);
    const next = await allow(world, 30 * DAY_MS, old.clientId);
    assertEquals(next.grantId, old.grantId, "one connection");
    assertEquals(await bearerStatus(world, next.tokens.access_token), 200);
    assertEquals(await bearerStatus(world, old.tokens.access_token), 401);
    const { clientId, tokens: { refresh_token } } = old;
    const refused = await world.post(refreshForm(clientId, refresh_token));
    assertEquals((await refused.json()).error, "invalid_grant");
  });
}
