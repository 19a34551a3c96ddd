import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { ACCESS_TOKEN_MS } from "../../../../domain/limits.ts";
import { createGrant } from "../../../../tools/demo/create_grant.ts";
import { readAccessToken } from "../../../../domain/oauth/access_token.ts";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import {
  assertOauthError,
  bearerStatus,
  connect,
  type Connected,
  refreshForm,
  register,
  type TokenBody,
  tokensOf,
} from "../../../support/oauth_flow.ts";
import {
  ISSUER,
  type Members,
  type OauthWorld,
  openOauthWorld,
} from "../../../support/oauth_world.ts";

const DAY_MS = 86_400_000;
const GRACE_MS = 30_000;

Deno.test("a refresh gives a new access token and a new refresh token", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  world.bidding.clock.advance(ACCESS_TOKEN_MS);
  const { tokens } = connected;
  assertEquals(await bearerStatus(world, tokens.access_token), 401);
  const next = await refreshed(world, connected, tokens);
  assertNotEquals(next.access_token, tokens.access_token);
  assertNotEquals(next.refresh_token, tokens.refresh_token);
  assertEquals(next.expires_in, 3_600);
  assertEquals(next.scope, tokens.scope);
  assertEquals(await bearerStatus(world, next.access_token), 200);
});

Deno.test("T4 a refresh may narrow the access token, the refresh token keeps its scope", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  const narrow = await refreshed(world, connected, connected.tokens, {
    scope: "bids:read",
  });
  assertEquals(narrow.scope, "bids:read");
  assertEquals(await bearerStatus(world, narrow.access_token), 403);
  const day = "/v1/agent/bids?day=2026-11-20";
  assertEquals(await bearerStatus(world, narrow.access_token, day), 200);
  const whole = await refreshed(world, connected, narrow);
  assertEquals(whole.scope, "account:read bids:read");
  assertEquals(await bearerStatus(world, whole.access_token), 200);
});

Deno.test("T4 a wider or unknown scope is invalid_scope and uses nothing up", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  for (const scope of ["bids:write", "account:read bids:write", "root"]) {
    const answer = await refresh(world, connected, connected.tokens, { scope });
    await assertOauthError(answer, "invalid_scope");
  }
  world.bidding.clock.advance(GRACE_MS + 1);
  await refreshed(world, connected, connected.tokens);
});

Deno.test("T9 a refresh may narrow the resource and never widen it", async () => {
  await using world = await openOauthWorld();
  const asked = { resource: [`${ISSUER}/mcp`, "https://spotlight.example/"] };
  const connected = await connect(world, { asked });
  const wide = await refresh(world, connected, connected.tokens, {
    resource: ISSUER,
  });
  await assertOauthError(wide, "invalid_target");
  const narrow = await refreshed(world, connected, connected.tokens, {
    resource: `${ISSUER}/mcp/`,
  });
  assertEquals(readAccessToken(narrow.access_token)?.resources, ["mcp"]);
  const whole = await refreshed(world, connected, narrow);
  const { resources } = readAccessToken(whole.access_token) ?? {};
  assertEquals(resources, ["mcp", "site"]);
});

Deno.test("T5 the token just used gets the same successor for 30 seconds", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  const first = await refreshed(world, connected, connected.tokens);
  world.bidding.clock.advance(GRACE_MS);
  const again = await refreshed(world, connected, connected.tokens);
  assertEquals(again.refresh_token, first.refresh_token);
  assertNotEquals(again.access_token, first.access_token);
  for (const { access_token } of [first, again]) {
    assertEquals(await bearerStatus(world, access_token), 200);
  }
  await refreshed(world, connected, first);
});

Deno.test("T5 the token just used ends the grant after 30 seconds", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  const next = await refreshed(world, connected, connected.tokens);
  world.bidding.clock.advance(GRACE_MS + 1);
  await assertReused(world, connected, connected.tokens, next);
});

Deno.test("T5 the token before the one just used ends the grant at once", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  const second = await refreshed(world, connected, connected.tokens);
  const third = await refreshed(world, connected, second);
  await assertReused(world, connected, connected.tokens, third);
});

Deno.test("T5 parallel refreshes get one successor", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  const all = await Promise.all(
    Array.from(
      { length: 20 },
      () => refreshed(world, connected, connected.tokens),
    ),
  );
  assertEquals(new Set(all.map((each) => each.refresh_token)).size, 1);
  assertEquals(new Set(all.map((each) => each.access_token)).size, 20);
  for (const { access_token } of all) {
    assertEquals(await bearerStatus(world, access_token), 200);
  }
});

Deno.test("T5 a reuse is told to the user by mail, and never more than once", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  const second = await refreshed(world, connected, connected.tokens);
  await refreshed(world, connected, second);
  for (let n = 0; n < 3; n++) {
    const answer = await refresh(world, connected, connected.tokens);
    await assertOauthError(answer, "invalid_grant");
  }
  const all = await world.bidding.testStore.store.listMails({ limit: 9 });
  const mails = all.filter(({ subject }) => /was disconnected/.test(subject));
  assertEquals(mails.map(({ to }) => to), ["ada@example.com"]);
  assert(mails[0]?.text.includes("Test Client"));
});

Deno.test("T5 reuses are told to the user ten times a day at most, and each ends its line", async () => {
  await using world = await openOauthWorld();
  for (let nth = 0; nth < 12; nth++) {
    const connected = await connect(world);
    const second = await refreshed(world, connected, connected.tokens);
    const third = await refreshed(world, connected, second);
    const reuse = await refresh(world, connected, connected.tokens);
    await assertOauthError(reuse, "invalid_grant");
    const after = await refresh(world, connected, third);
    await assertOauthError(after, "invalid_grant");
    world.bidding.clock.advance(60_000);
  }
  const mails = await world.bidding.testStore.store.listMails({ limit: 100 });
  assertEquals(mails.length, 10);
});

Deno.test("T6 another client's refresh token is invalid_grant and survives", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  const other = await register(world);
  const { refresh_token } = connected.tokens;
  const stolen = await world.post(refreshForm(other, refresh_token));
  await assertOauthError(stolen, "invalid_grant");
  const anonymous = { client_id: null };
  const none = await refresh(world, connected, connected.tokens, anonymous);
  await assertOauthError(none, "invalid_request");
  await refreshed(world, connected, connected.tokens);
});

Deno.test("T7 a refresh after the grant was revoked is invalid_grant", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  await revokeGrant(world.services, {
    grantId: connected.grantId,
    accountId: "acc_ada",
  });
  const answer = await refresh(world, connected, connected.tokens);
  await assertOauthError(answer, "invalid_grant");
});

Deno.test("T7 a refresh after the mandate's end is invalid_grant", async () => {
  await using world = await openOauthWorld();
  const connected = await connectBidder(world, 7 * DAY_MS);
  world.bidding.clock.advance(7 * DAY_MS - 1);
  const last = await refreshed(world, connected, connected.tokens);
  assertEquals(last.expires_in, 0);
  assertEquals(await bearerStatus(world, last.access_token), 200);
  world.bidding.clock.advance(1);
  assertEquals(await bearerStatus(world, last.access_token), 401);
  const answer = await refresh(world, connected, last);
  await assertOauthError(answer, "invalid_grant");
});

Deno.test("T8 a refresh token lasts 30 days from its issue, never beyond the mandate", async () => {
  await using world = await openOauthWorld();
  const connected = await connectBidder(world, 45 * DAY_MS);
  let { tokens } = connected;
  world.bidding.clock.advance(30 * DAY_MS - 1);
  tokens = await refreshed(world, connected, tokens);
  const grant = await world.services.store.grants.find(connected.grantId);
  assertEquals(grant?.refresh?.endsAtMs, grant?.mandate?.validUntilMs);
  world.bidding.clock.advance(15 * DAY_MS + 1);
  const answer = await refresh(world, connected, tokens);
  await assertOauthError(answer, "invalid_grant");
});

Deno.test("T8 without a mandate each refresh gives another 30 days", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  let { tokens } = connected;
  for (let n = 0; n < 4; n++) {
    world.bidding.clock.advance(30 * DAY_MS - 1);
    tokens = await refreshed(world, connected, tokens);
  }
  world.bidding.clock.advance(30 * DAY_MS);
  const answer = await refresh(world, connected, tokens);
  await assertOauthError(answer, "invalid_grant");
});

Deno.test("a grant made without a browser refreshes like any other", async () => {
  await using world = await openOauthWorld();
  const { refreshToken } = await createGrant(world.services, {
    accountId: "acc_ada",
    clientId: "client_demo",
    scopes: ["account:read"],
    mandate: null,
  });
  const first = await tokensOf(
    await world.post(refreshForm("client_demo", refreshToken)),
  );
  const form = refreshForm("client_demo", first.refresh_token);
  const second = await tokensOf(await world.post(form));
  assertEquals(await bearerStatus(world, second.access_token), 200);
  const unknown = refreshForm("client_demo", `${first.refresh_token}x`);
  await assertOauthError(await world.post(unknown), "invalid_grant");
});

function refresh(
  world: OauthWorld,
  { clientId }: Pick<Connected, "clientId">,
  { refresh_token }: TokenBody,
  changes: Members = {},
): Promise<Response> {
  return world.post(refreshForm(clientId, refresh_token, changes));
}

async function refreshed(
  ...request: Parameters<typeof refresh>
): Promise<TokenBody> {
  return await tokensOf(await refresh(...request));
}

function connectBidder(world: OauthWorld, lifeMs: number) {
  return connect(world, {
    asked: { scope: "account:read bids:write" },
    answer: {
      mandate: {
        maxBidCents: 5_000,
        dailyCapCents: 9_000,
        validUntilMs: world.services.clock.now() + lifeMs,
      },
    },
  });
}

/** A used token comes back: it and everything that is current is dead. */
async function assertReused(
  world: OauthWorld,
  connected: Connected,
  used: TokenBody,
  current: TokenBody,
): Promise<void> {
  const reused = await refresh(world, connected, used);
  await assertOauthError(reused, "invalid_grant");
  assertEquals(await bearerStatus(world, current.access_token), 401);
  const after = await refresh(world, connected, current);
  await assertOauthError(after, "invalid_grant");
  const grant = await world.services.store.grants.find(connected.grantId);
  assertEquals(grant?.lastEnding?.reason, "refresh_reuse");
}
