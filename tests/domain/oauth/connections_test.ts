/** A client has one connection in an account, however often it is authorized. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "@std/assert";
import { changeConnection } from "../../../domain/oauth/change_connection.ts";
import type { Scope } from "../../../domain/oauth/grant.ts";
import { LINES_MAX } from "../../../domain/oauth/lines.ts";
import { readStanding } from "../../../domain/oauth/read_standing.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import {
  bearerStatus,
  connect,
  type Connected,
  refreshForm,
  register,
  type TokenBody,
  tokensOf,
} from "../../support/oauth_flow.ts";
import { type OauthWorld, openOauthWorld } from "../../support/oauth_world.ts";
import { assertRefused, refusalOf } from "../../support/refused.ts";
import { liveSession } from "../../support/sessions.ts";

const BIDS = "/v1/agent/bids?day=2026-11-20";

function refreshed(
  world: OauthWorld,
  { clientId }: Pick<Connected, "clientId">,
  { refresh_token }: TokenBody,
): Promise<TokenBody> {
  return world.post(refreshForm(clientId, refresh_token)).then(tokensOf);
}

/** Connects with these scopes asked for and ticked. */
function connectWith(
  world: OauthWorld,
  clientId: string,
  scopes: readonly Scope[],
  ticked = scopes,
): Promise<Connected> {
  return connect(world, {
    clientId,
    asked: { scope: scopes.join(" ") },
    answer: { scopes: ticked },
  });
}

function change(
  { services }: OauthWorld,
  grantId: string,
  scopes: readonly Scope[],
  session = liveSession("acc_ada"),
) {
  const answer = { session, scopes, mandate: null };
  return changeConnection(services, { grantId, ...answer });
}

Deno.test("a second consent of a client changes its connection, and each authorization keeps its own tokens", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const first = await connectWith(world, clientId, ["account:read"]);
  const second = await connectWith(
    world,
    clientId,
    ["bids:read"],
    ["account:read", "bids:read"],
  );
  assertEquals(second.grantId, first.grantId);
  assertEquals(second.tokens.scope, "account:read bids:read");
  const grants = await world.services.store.listGrants("acc_ada", { limit: 9 });
  assertEquals(grants.length, 1);
  assertEquals(grants[0]?.lines.length, 2);
  // Each line goes on by itself.
  const third = await refreshed(world, first, first.tokens);
  const fourth = await refreshed(world, second, second.tokens);
  for (const { access_token } of [third, fourth]) {
    assertEquals(await bearerStatus(world, access_token), 200);
  }
});

Deno.test("a consent keeps what was allowed before for as long as it stays ticked, and offers it", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  await connectWith(world, clientId, ["account:read", "bids:read"]);
  const kept = await connectWith(world, clientId, ["invoices:read"], [
    "bids:read",
    "invoices:read",
  ]);
  assertEquals(kept.tokens.scope, "bids:read invoices:read");
});

Deno.test("what a consent takes away is gone at once for tokens of every line", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const first = await connectWith(world, clientId, [
    "account:read",
    "bids:read",
  ]);
  const { access_token } = first.tokens;
  assertEquals(await bearerStatus(world, access_token, BIDS), 200);
  await connectWith(world, clientId, ["account:read"]);
  assertEquals(await bearerStatus(world, access_token, BIDS), 403);
  assertEquals(await bearerStatus(world, access_token), 200);
  const next = await refreshed(world, first, first.tokens);
  assertEquals(next.scope, "account:read");
});

Deno.test("a token never gets what its connection was given after it, and its line does by a refresh", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const first = await connectWith(world, clientId, ["account:read"]);
  await connectWith(world, clientId, ["account:read", "bids:read"]);
  const { access_token } = first.tokens;
  assertEquals(await bearerStatus(world, access_token), 200);
  assertEquals(await bearerStatus(world, access_token, BIDS), 403);
  const next = await refreshed(world, first, first.tokens);
  assertEquals(next.scope, "account:read bids:read");
  assertEquals(await bearerStatus(world, next.access_token, BIDS), 200);
});

Deno.test("a reused refresh token ends its line and leaves the others", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const first = await connectWith(world, clientId, ["account:read"]);
  const other = await connectWith(world, clientId, ["account:read"]);
  const second = await refreshed(world, first, first.tokens);
  const third = await refreshed(world, first, second);
  const reuse = await world.post(
    refreshForm(clientId, first.tokens.refresh_token),
  );
  assertEquals(reuse.status, 400);
  await reuse.body?.cancel();
  assertEquals(await bearerStatus(world, third.access_token), 401);
  assertEquals(await bearerStatus(world, other.tokens.access_token), 200);
  await refreshed(world, other, other.tokens);
});

Deno.test("of a client's lines the one that was used longest ago ends when there are too many", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const made: Connected[] = [];
  for (let nth = 0; nth < LINES_MAX; nth++) {
    world.bidding.clock.advance(1_000);
    made.push(await connectWith(world, clientId, ["account:read"]));
  }
  const [first, second, ...others] = made;
  assert(first && second);
  // The oldest is in use, so the next one is given up.
  world.bidding.clock.advance(1_000);
  const inUse = await refreshed(world, first, first.tokens);
  await connectWith(world, clientId, ["account:read"]);
  assertEquals(await bearerStatus(world, second.tokens.access_token), 401);
  for (const { access_token } of [inUse, ...others.map((one) => one.tokens)]) {
    assertEquals(await bearerStatus(world, access_token), 200);
  }
  const grant = await world.services.store.grants.find(first.grantId);
  assertEquals(grant?.lines.length, LINES_MAX);
  assertEquals(grant?.lastEnding?.reason, "too_many");
});

Deno.test("revoking a connection ends every line of it", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const first = await connectWith(world, clientId, ["account:read"]);
  const second = await connectWith(world, clientId, ["account:read"]);
  const { grantId } = first;
  await revokeGrant(world.services, { grantId, accountId: "acc_ada" });
  for (const { tokens } of [first, second]) {
    assertEquals(await bearerStatus(world, tokens.access_token), 401);
    const form = refreshForm(clientId, tokens.refresh_token);
    const refused = await world.post(form);
    assertEquals(refused.status, 400);
    await refused.body?.cancel();
  }
  const third = await connectWith(world, clientId, ["account:read"]);
  assertNotEquals(third.grantId, grantId);
});

Deno.test("a client that gave back its only line goes on with its connection at the next consent", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const first = await connectWith(world, clientId, ["account:read"]);
  const token = first.tokens.refresh_token;
  await (await world.post({ token, client_id: clientId })).body?.cancel();
  const named = { accountId: "acc_ada", clientId };
  assertEquals(await readStanding(world.services, named), null);
  const second = await connectWith(world, clientId, ["bids:read"], [
    "account:read",
    "bids:read",
  ]);
  assertEquals(second.grantId, first.grantId);
  // What was allowed before is not held any more, so it has to be asked for.
  assertEquals(second.tokens.scope, "bids:read");
});

Deno.test("of 10 consents to one client at once all change one connection", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const made = await Promise.all(
    Array.from(
      { length: 10 },
      () => connectWith(world, clientId, ["account:read"]),
    ),
  );
  assertEquals(new Set(made.map(({ grantId }) => grantId)).size, 1);
  for (const { tokens } of made) {
    assertEquals(await bearerStatus(world, tokens.access_token), 200);
  }
});

Deno.test("changeConnection() gives a client more without its asking, and takes it back at once", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const first = await connectWith(world, clientId, ["account:read"]);
  await change(world, first.grantId, ["account:read", "bids:read"]);
  const wide = await refreshed(world, first, first.tokens);
  assertEquals(await bearerStatus(world, wide.access_token, BIDS), 200);
  await change(world, first.grantId, ["account:read"]);
  assertNotEquals(await bearerStatus(world, wide.access_token, BIDS), 200);
  assertEquals(await bearerStatus(world, wide.access_token, BIDS), 403);
});

Deno.test("changeConnection() refuses what a consent would refuse, and a connection that is over or another's", async () => {
  await using world = await openOauthWorld();
  const { clock } = world.bidding;
  const { grantId } = await connect(world);
  const stale = { ...liveSession("acc_ada"), authTimeMs: -1 };
  clock.advance(11 * 60_000);
  const spending = changeWith(world, grantId, stale);
  assertEquals((await spending)?.code, "sign_in_stale");
  for (
    const [scopes, code] of [
      [[], "invalid_input"],
      [["bids:write"], "invalid_input"],
      [["affiliate:read"], "partner_required"],
    ] as const
  ) {
    const session = { ...liveSession("acc_ada"), authTimeMs: clock.now() };
    await assertRefused(() => change(world, grantId, scopes, session), code);
  }
  const eve = await world.bidding.agent("eve");
  const others = () => change(world, eve.grant.id, ["account:read"]);
  await assertRefused(others, "not_found");
  await revokeGrant(world.services, { grantId, accountId: "acc_ada" });
  const over = () => change(world, grantId, ["account:read"]);
  await assertRefused(over, "not_found");
});

function changeWith(
  { services }: OauthWorld,
  grantId: string,
  session: ReturnType<typeof liveSession>,
) {
  const mandate = {
    maxBidCents: 100,
    dailyCapCents: 100,
    validUntilMs: services.clock.now() + 1,
  };
  const scopes = ["bids:write"] as const;
  return refusalOf(() =>
    changeConnection(services, { grantId, session, scopes, mandate })
  );
}

Deno.test("changeConnection() gives no agent of an operator's account leave to bid", async () => {
  await using world = await openOauthWorld();
  const { grantId } = await connect(world);
  const ada = await world.services.store.accounts.find("acc_ada");
  const operatorEmails = [ada?.email ?? ""];
  const services = {
    ...world.services,
    settings: { ...world.services.settings, operatorEmails },
  };
  const session = {
    ...liveSession("acc_ada"),
    authTimeMs: services.clock.now(),
  };
  const refused = await changeWith({ ...world, services }, grantId, session);
  assertEquals(refused?.code, "invalid_input");
  assertMatch(
    String(refused && "message" in refused && refused.message),
    /never bids/,
  );
});
