/** Clients that sign (RFC 7523), and only those whose document says so. */
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  SignJWT,
  UnsecuredJWT,
} from "@panva/jose";
import { assertEquals } from "@std/assert";
import {
  CLIENT_DOCUMENT,
  CLIENT_ID,
  jsonDocument,
} from "../../../support/client_host.ts";
import {
  approve,
  assertOauthError,
  bearerStatus,
  codeForm,
  refreshForm,
  tokensOf,
} from "../../../support/oauth_flow.ts";
import {
  ISSUER,
  type OauthWorld,
  openOauthWorld,
} from "../../../support/oauth_world.ts";

const REDIRECT = { redirect_uri: "https://agent.example/callback" };
const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const own = await generateKeyPair("ES256", { extractable: true });
const foreign = await generateKeyPair("ES256", { extractable: true });
const JWK_OWN: JWK = { ...await exportJWK(own.publicKey), kid: "1" };

Deno.test("D12 a client that only signs gets tokens for an assertion", async () => {
  await using world = await openOauthWorld();
  publish(world, { jwks: { keys: [JWK_OWN] } });
  const approved = await approvedClient(world);
  const form = codeForm(approved, REDIRECT);
  const tokens = await tokensOf(
    await world.post({ ...form, ...await proof(world) }),
  );
  const refresh = refreshForm(CLIENT_ID, tokens.refresh_token);
  await assertOauthError(await world.post(refresh), "invalid_client");
  await tokensOf(await world.post({ ...refresh, ...await proof(world) }));
});

Deno.test("D12 the assertion may stand for the client_id", async () => {
  await using world = await openOauthWorld();
  publish(world, { jwks: { keys: [JWK_OWN] } });
  const approved = await approvedClient(world);
  const form = codeForm(approved, { ...REDIRECT, client_id: null });
  await tokensOf(await world.post({ ...form, ...await proof(world) }));
});

const BAD_CLAIMS: readonly Record<string, unknown>[] = [
  { iss: "https://evil.example/c.json" },
  { sub: "https://evil.example/c.json" },
  { iss: undefined },
  { sub: undefined },
  { aud: `${ISSUER}/oauth/token` },
  { aud: [ISSUER, "https://evil.example"] },
  { aud: `${ISSUER}/` },
  { aud: undefined },
  { exp: undefined },
  { exp: 0 },
  { exp: 4_102_444_800 },
  { jti: undefined },
  { jti: "" },
  { jti: "x".repeat(256) },
  { nbf: 4_102_444_800 },
];

Deno.test("D12 a wrong claim is invalid_client, and the code survives", async () => {
  await using world = await openOauthWorld();
  publish(world, { jwks: { keys: [JWK_OWN] } });
  const form = codeForm(await approvedClient(world), REDIRECT);
  for (const claims of BAD_CLAIMS) {
    const answer = await world.post({
      ...form,
      client_id: CLIENT_ID,
      ...await proof(world, { claims }),
    });
    await assertOauthError(answer, "invalid_client");
  }
  await tokensOf(await world.post({ ...form, ...await proof(world) }));
});

Deno.test("D12 a missing assertion is invalid_client, and the code survives", async () => {
  await using world = await openOauthWorld();
  publish(world, { jwks: { keys: [JWK_OWN] } });
  const form = codeForm(await approvedClient(world), REDIRECT);
  await assertOauthError(await world.post(form), "invalid_client");
  const half = { ...form, client_assertion_type: TYPE };
  await assertOauthError(await world.post(half), "invalid_request");
  const other = { ...form, ...await proof(world) };
  const saml = { ...other, client_assertion_type: "saml2-bearer" };
  await assertOauthError(await world.post(saml), "invalid_client");
  await tokensOf(await world.post(other));
});

Deno.test("D12 a foreign key, no signature and a shared secret are invalid_client", async () => {
  await using world = await openOauthWorld();
  publish(world, { jwks: { keys: [JWK_OWN] } });
  const form = codeForm(await approvedClient(world), REDIRECT);
  const claims = claimsOf(world);
  const bad = [
    await sign(claims, foreign.privateKey),
    new UnsecuredJWT(claims).encode(),
    await new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "1" })
      .sign(new TextEncoder().encode(JSON.stringify(JWK_OWN))),
    "x",
    "a.b.c",
  ];
  for (const assertion of bad) {
    const answer = await world.post({
      ...form,
      client_assertion_type: TYPE,
      client_assertion: assertion,
    });
    await assertOauthError(answer, "invalid_client");
  }
  await tokensOf(await world.post({ ...form, ...await proof(world) }));
});

Deno.test("D12 an assertion is accepted once, of 20 at the same time too", async () => {
  await using world = await openOauthWorld();
  publish(world, { jwks: { keys: [JWK_OWN] } });
  const { tokens } = await connected(world);
  const again = {
    ...refreshForm(CLIENT_ID, tokens.refresh_token),
    ...await proof(world),
  };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => world.post(again)),
  );
  const statuses = answers.map(({ status }) => status).toSorted();
  assertEquals(statuses, [200, ...Array(19).fill(401)]);
});

Deno.test("D12 a client that may also do without keys is a public one", async () => {
  await using world = await openOauthWorld();
  publish(world, {
    jwks: { keys: [JWK_OWN] },
    token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
  });
  await tokensOf(
    await world.post(codeForm(await approvedClient(world), REDIRECT)),
  );
});

Deno.test("D12 keys at an address are fetched through the guard and kept", async () => {
  await using world = await openOauthWorld();
  publish(world, { jwks_uri: "https://agent.example/keys.json" });
  const { tokens } = await connected(world);
  assertEquals(world.clients.asked, ["/client.json", "/keys.json"]);
  const refresh = refreshForm(CLIENT_ID, tokens.refresh_token);
  await tokensOf(await world.post({ ...refresh, ...await proof(world) }));
  assertEquals(world.clients.asked.length, 2);
});

Deno.test("keys at another port than 443 are not fetched", async () => {
  await using world = await openOauthWorld();
  publish(world, { jwks_uri: "https://agent.example:8443/keys.json" });
  const form = codeForm(await approvedClient(world), REDIRECT);
  const answer = await world.post({ ...form, ...await proof(world) });
  await assertOauthError(answer, "invalid_client");
  assertEquals(world.clients.asked, ["/client.json"]);
});

Deno.test("D13 keys on our own network are not fetched", async () => {
  await using world = await openOauthWorld();
  publish(world, { jwks_uri: "https://keys.agent.example/keys.json" });
  const form = codeForm(await approvedClient(world), REDIRECT);
  world.clients.resolve = () =>
    Promise.resolve([{ address: "169.254.169.254", family: 4 }]);
  const answer = await world.post({ ...form, ...await proof(world) });
  await assertOauthError(answer, "invalid_client");
  assertEquals(world.clients.asked, ["/client.json"]);
});

Deno.test("D12 a revocation needs no assertion, but a good one if one is sent", async () => {
  await using world = await openOauthWorld();
  publish(world, { jwks: { keys: [JWK_OWN] } });
  const { tokens } = await connected(world);
  const form = { token: tokens.access_token, client_id: CLIENT_ID };
  const bad = await proof(world, { claims: { aud: "x" } });
  await assertOauthError(
    await world.post({ ...form, ...bad }),
    "invalid_client",
  );
  assertEquals(await bearerStatus(world, tokens.access_token), 200);
  const good = await world.post({ ...form, ...await proof(world) });
  assertEquals(good.status, 200);
  assertEquals(await bearerStatus(world, tokens.access_token), 401);
});

function publish(world: OauthWorld, members: Record<string, unknown>): void {
  world.clients.answer = ({ url }) =>
    new URL(url).pathname === "/keys.json"
      ? jsonDocument({ keys: [JWK_OWN] })
      : jsonDocument({
        ...CLIENT_DOCUMENT,
        token_endpoint_auth_method: "private_key_jwt",
        ...members,
      });
}

function approvedClient(world: OauthWorld) {
  return approve(world, { clientId: CLIENT_ID, asked: REDIRECT });
}

async function connected(world: OauthWorld) {
  const approved = await approvedClient(world);
  const form = { ...codeForm(approved, REDIRECT), ...await proof(world) };
  return { tokens: await tokensOf(await world.post(form)) };
}

function claimsOf(world: OauthWorld): Record<string, unknown> {
  const nowS = Math.floor(world.services.clock.now() / 1_000);
  return {
    iss: CLIENT_ID,
    sub: CLIENT_ID,
    aud: ISSUER,
    exp: nowS + 60,
    iat: nowS,
    jti: crypto.randomUUID(),
  };
}

function sign(
  claims: Record<string, unknown>,
  key: CryptoKey,
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "1" })
    .sign(key);
}

async function proof(
  world: OauthWorld,
  { claims = {} }: { claims?: Record<string, unknown> } = {},
) {
  const assertion = await sign(
    { ...claimsOf(world), ...claims },
    own.privateKey,
  );
  return { client_assertion_type: TYPE, client_assertion: assertion };
}
