import { assertEquals } from "@std/assert";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import {
  assertOauthError,
  bearerStatus,
  connect,
  type Connected,
  refreshForm,
  register,
  tokensOf,
} from "../../../support/oauth_flow.ts";
import {
  type Members,
  type OauthWorld,
  openOauthWorld,
} from "../../../support/oauth_world.ts";

Deno.test("R1 a revoked token fails the next request with invalid_token", async () => {
  await using world = await openOauthWorld();
  const { clientId, tokens } = await connect(world);
  await revoked(world, { token: tokens.access_token, client_id: clientId });
  const answer = await world.ask("/v1/agent/me", {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  assertEquals(answer.status, 401);
  assertEquals((await answer.json()).error, "invalid_token");
});

Deno.test("R1 a revoked token fails in every process at once", async () => {
  await using world = await openOauthWorld();
  const { tokens, grantId } = await connect(world);
  const { store } = world.bidding.testStore.another();
  const other = { ...world.services, store };
  await revokeGrant(other, { grantId, accountId: "acc_ada" });
  assertEquals(await bearerStatus(world, tokens.access_token), 401);
});

Deno.test("R2 a revoked refresh token ends its line with every access token of it", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  const { clientId, tokens } = connected;
  const next = await tokensOf(
    await world.post(refreshForm(clientId, tokens.refresh_token)),
  );
  const token = next.refresh_token;
  await revoked(world, { token, client_id: clientId });
  for (const { access_token } of [tokens, next]) {
    assertEquals(await bearerStatus(world, access_token), 401);
  }
  await assertRefreshFails(world, connected, token);
  const grant = await world.services.store.grants.find(connected.grantId);
  assertEquals([grant?.lines, grant?.revokedAtMs], [[], null]);
  assertEquals(grant?.lastEnding?.reason, "client");
});

Deno.test("R2 a revoked refresh token leaves the other installations of its client", async () => {
  await using world = await openOauthWorld();
  const first = await connect(world);
  const { clientId, grantId } = first;
  const second = await connect(world, { clientId });
  assertEquals(second.grantId, grantId);
  const token = first.tokens.refresh_token;
  await revoked(world, { token, client_id: clientId });
  assertEquals(await bearerStatus(world, first.tokens.access_token), 401);
  assertEquals(await bearerStatus(world, second.tokens.access_token), 200);
  const form = refreshForm(clientId, second.tokens.refresh_token);
  await tokensOf(await world.post(form));
});

Deno.test("R3 a revoked access token leaves the refresh token and its siblings", async () => {
  await using world = await openOauthWorld();
  const { clientId, tokens } = await connect(world);
  const refresh = refreshForm(clientId, tokens.refresh_token);
  const next = await tokensOf(await world.post(refresh));
  await revoked(world, { token: tokens.access_token, client_id: clientId });
  assertEquals(await bearerStatus(world, next.access_token), 200);
  const last = refreshForm(clientId, next.refresh_token);
  await tokensOf(await world.post(last));
});

Deno.test("R4 another client's revocation is 200 and has no effect", async () => {
  await using world = await openOauthWorld();
  const { clientId, tokens } = await connect(world);
  const other = await register(world);
  for (const token of [tokens.access_token, tokens.refresh_token]) {
    for (const foreign of [other, "dcr_unknown", "https://x.example/c"]) {
      await revoked(world, { token, client_id: foreign });
    }
  }
  assertEquals(await bearerStatus(world, tokens.access_token), 200);
  const refresh = refreshForm(clientId, tokens.refresh_token);
  await tokensOf(await world.post(refresh));
});

Deno.test("R4 whoever holds a token may revoke it without a client_id", async () => {
  await using world = await openOauthWorld();
  const { tokens } = await connect(world);
  await revoked(world, { token: tokens.refresh_token });
  assertEquals(await bearerStatus(world, tokens.access_token), 401);
});

Deno.test("R5 a wrong or unknown hint does not matter", async () => {
  await using world = await openOauthWorld();
  for (const hint of ["refresh_token", "pat", "access_token"]) {
    const { tokens } = await connect(world);
    const token = tokens.access_token;
    await revoked(world, { token, token_type_hint: hint });
    assertEquals(await bearerStatus(world, token), 401);
  }
});

Deno.test("R5 an unknown, revoked, expired or misshapen token is 200", async () => {
  await using world = await openOauthWorld();
  const { tokens, grantId } = await connect(world);
  const token = tokens.access_token;
  await revoked(world, { token });
  const unknown = `svc_at_${grantId}_${"x".repeat(43)}`;
  for (const text of [token, unknown, "x", "svc_rt_", "ä"]) {
    await revoked(world, { token: text });
  }
  world.bidding.clock.advance(86_400_000 * 31);
  for (const text of [token, tokens.refresh_token]) {
    await revoked(world, { token: text });
  }
});

Deno.test("R6 revoking in the browser ends access and refresh tokens", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  const { grantId, tokens } = connected;
  await revokeGrant(world.services, { grantId, accountId: "acc_ada" });
  assertEquals(await bearerStatus(world, tokens.access_token), 401);
  await assertRefreshFails(world, connected, tokens.refresh_token);
});

Deno.test("R7 a revocation that races refreshes leaves nothing alive", async () => {
  await using world = await openOauthWorld();
  for (let round = 0; round < 10; round++) {
    const connected = await connect(world);
    const { clientId, tokens } = connected;
    const form = refreshForm(clientId, tokens.refresh_token);
    const [first, , ...others] = await Promise.all([
      world.post(form),
      world.post({ token: tokens.refresh_token }),
      world.post(form),
      world.post(form),
    ]);
    for (const answer of [first, ...others]) {
      const body = await answer.json();
      if (answer.status !== 200) continue;
      assertEquals(await bearerStatus(world, body.access_token), 401);
      await assertRefreshFails(world, connected, body.refresh_token);
    }
  }
});

Deno.test("a revocation answers 503 while the store fails", async () => {
  await using world = await openOauthWorld();
  const { tokens } = await connect(world);
  const { kv } = world.bidding.testStore;
  kv.inject({ on: "commit", fault: { kind: "fail_before" } });
  const answer = await world.post({ token: tokens.access_token });
  assertEquals(answer.headers.get("retry-after"), "1");
  await assertOauthError(answer, "temporarily_unavailable", 503);
  assertEquals(await bearerStatus(world, tokens.access_token), 200);
});

async function revoked(world: OauthWorld, members: Members): Promise<void> {
  const answer = await world.post(members);
  assertEquals([answer.status, await answer.text()], [200, ""]);
}

async function assertRefreshFails(
  world: OauthWorld,
  { clientId }: Connected,
  refreshToken: string,
): Promise<void> {
  const answer = await world.post(refreshForm(clientId, refreshToken));
  await assertOauthError(answer, "invalid_grant");
}
