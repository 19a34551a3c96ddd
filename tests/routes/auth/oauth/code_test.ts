import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import {
  approve,
  assertOauthError,
  bearerStatus,
  CHALLENGE,
  codeForm,
  connect,
  refreshForm,
  register,
  tokensOf,
  VERIFIER,
} from "../../../support/oauth_flow.ts";
import {
  ISSUER,
  type OauthWorld,
  openOauthWorld,
} from "../../../support/oauth_world.ts";

Deno.test("POST /oauth/token exchanges a code for tokens of an hour", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const answer = await world.post(codeForm(approved));
  const headers = Object.fromEntries(answer.headers);
  assertEquals(headers["cache-control"], "no-store");
  assertEquals(headers.pragma, "no-cache");
  assertEquals(headers["content-type"], "application/json");
  assertEquals(headers["access-control-allow-origin"], "*");
  const tokens = await tokensOf(answer);
  assertEquals(Object.keys(tokens), [
    "access_token",
    "token_type",
    "expires_in",
    "refresh_token",
    "scope",
  ]);
  assertEquals(tokens.token_type, "Bearer");
  assertEquals(tokens.expires_in, 3_600);
  assertEquals(tokens.scope, "account:read bids:read");
  const { grantId } = approved;
  assert(
    new RegExp(`^svc_at_${grantId}_[\\w-]{43}$`).test(tokens.access_token),
  );
  assert(
    new RegExp(`^svc_rt_${grantId}_[\\w-]{71}$`).test(tokens.refresh_token),
  );
  assertEquals(await bearerStatus(world, tokens.access_token), 200);
});

Deno.test("tokens of an hour are told as an hour, however long their exchange takes", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const { clock } = world.bidding;
  const standing = clock.now.bind(clock);
  clock.now = () => {
    clock.advance(1);
    return standing();
  };
  const tokens = await tokensOf(await world.post(codeForm(approved)));
  assertEquals(tokens.expires_in, 3_600);
  const { clientId } = approved;
  const next = await tokensOf(
    await world.post(refreshForm(clientId, tokens.refresh_token)),
  );
  assertEquals(next.expires_in, 3_600);
});

Deno.test("C1 a replayed code is invalid_grant and ends every token of its line", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  const { clientId, tokens } = connected;
  await assertOauthError(
    await world.post(codeForm(connected)),
    "invalid_grant",
  );
  assertEquals(await bearerStatus(world, tokens.access_token), 401);
  const refresh = refreshForm(clientId, tokens.refresh_token);
  await assertOauthError(await world.post(refresh), "invalid_grant");
  const grant = await world.services.store.grants.find(connected.grantId);
  assertEquals(grant?.lastEnding?.reason, "code_replay");
});

Deno.test("C1 a code replayed 29 days later still ends its line", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  world.bidding.clock.advance(29 * 86_400_000);
  await assertOauthError(
    await world.post(codeForm(connected)),
    "invalid_grant",
  );
  const grant = await world.services.store.grants.find(connected.grantId);
  assertEquals(grant?.lastEnding?.reason, "code_replay");
});

Deno.test("C2 a replay with a wrong binding does not end the line", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  const other = await register(world);
  const wrong = [
    { code_verifier: "w".repeat(43) },
    { client_id: other },
    { redirect_uri: "https://client.example/other" },
  ];
  for (const changes of wrong) {
    const answer = await world.post(codeForm(connected, changes));
    await assertOauthError(answer, "invalid_grant");
  }
  const { access_token } = connected.tokens;
  assertEquals(await bearerStatus(world, access_token), 200);
});

Deno.test("C3 50 parallel redemptions of one code give one token", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => world.post(codeForm(approved))),
  );
  const statuses = answers.map(({ status }) => status);
  assertEquals(statuses.filter((status) => status === 200).length, 1);
  assertEquals(statuses.filter((status) => status === 400).length, 49);
  // The losers are replays of a used code.
  const winner = answers.find(({ status }) => status === 200);
  const { access_token } = await tokensOf(winner ?? Response.error());
  assertEquals(await bearerStatus(world, access_token), 401);
});

Deno.test("C4 another client's code is invalid_grant and survives", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const other = await register(world);
  const stolen = codeForm(approved, { client_id: other });
  await assertOauthError(await world.post(stolen), "invalid_grant");
  await assertSurvived(world, approved);
});

Deno.test("C4 an unknown client is invalid_client, and the code survives", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const unknown = codeForm(approved, { client_id: "dcr_unknown" });
  await assertOauthError(await world.post(unknown), "invalid_client");
  await assertSurvived(world, approved);
});

Deno.test("C5 a wrong redirect address is invalid_grant, and the code survives", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  for (const redirect of ["https://client.example/cb/", "https://x.example"]) {
    const wrong = codeForm(approved, { redirect_uri: redirect });
    await assertOauthError(await world.post(wrong), "invalid_grant");
  }
  await assertSurvived(world, approved);
});

Deno.test("C5 a client of OAuth 2.1 may leave the redirect address out", async () => {
  await using world = await openOauthWorld();
  const form = codeForm(await approve(world), { redirect_uri: null });
  await tokensOf(await world.post(form));
});

Deno.test("C6 a wrong or misshapen verifier is invalid_grant, and the code survives", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const wrong = [
    "w".repeat(43),
    VERIFIER.slice(1),
    "v".repeat(129),
    `${VERIFIER.slice(1)}!`,
    `${VERIFIER.slice(1)}ä`,
  ];
  for (const verifier of wrong) {
    const form = codeForm(approved, { code_verifier: verifier });
    await assertOauthError(await world.post(form), "invalid_grant");
  }
  const none = codeForm(approved, { code_verifier: null });
  await assertOauthError(await world.post(none), "invalid_request");
  await assertSurvived(world, approved);
});

Deno.test("C6 a verifier of 128 characters is good, one of 42 and 129 never is", async () => {
  await using world = await openOauthWorld();
  for (const [length, status] of [[42, 400], [128, 200], [129, 400]] as const) {
    const verifier = "-._~".repeat(33).slice(0, length);
    const challenge = createHash("sha256").update(verifier)
      .digest("base64url");
    const approved = await approve(world, {
      asked: { code_challenge: challenge },
    });
    const form = codeForm(approved, { code_verifier: verifier });
    assertEquals((await world.post(form)).status, status);
  }
});

Deno.test("C7 a code is over after 60 seconds although the store still has it", async () => {
  await using world = await openOauthWorld();
  const [late, inTime] = [await approve(world), await approve(world)];
  world.bidding.clock.advance(59_999);
  await tokensOf(await world.post(codeForm(inTime)));
  world.bidding.clock.advance(1);
  const rows = world.bidding.testStore.realKv.list({
    prefix: ["authorization_codes"],
  });
  const kept = await Array.fromAsync(rows);
  assertEquals(kept.length, 2);
  await assertOauthError(await world.post(codeForm(late)), "invalid_grant");
});

Deno.test("C8 the challenge itself is no verifier", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  const form = codeForm(approved, { code_verifier: CHALLENGE });
  await assertOauthError(await world.post(form), "invalid_grant");
  await assertSurvived(world, approved);
});

Deno.test("a code of a grant that was revoked meanwhile is invalid_grant", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world);
  await world.services.store.transact(async (tx) => {
    const grant = await tx.grants.find(approved.grantId);
    assert(grant);
    tx.grants.save({ ...grant, revokedAtMs: 1, revokedReason: "user" });
  });
  await assertOauthError(await world.post(codeForm(approved)), "invalid_grant");
});

Deno.test("T9 a wider resource is invalid_target, and the code survives", async () => {
  await using world = await openOauthWorld();
  const approved = await approve(world, {
    asked: { resource: `${ISSUER}/mcp` },
  });
  for (const resource of [ISSUER, "https://evil.example"]) {
    const form = codeForm(approved, { resource });
    await assertOauthError(await world.post(form), "invalid_target");
  }
  const form = codeForm(approved, { resource: `${ISSUER}/mcp` });
  await tokensOf(await world.post(form));
});

async function assertSurvived(
  world: OauthWorld,
  approved: Parameters<typeof codeForm>[0],
): Promise<void> {
  await tokensOf(await world.post(codeForm(approved)));
}
