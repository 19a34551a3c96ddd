import {
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
} from "@panva/jose";
import { assertEquals } from "@std/assert";
import type { Jwk } from "../../../../domain/oauth/client.ts";
import { toBase64url } from "../../../../routes/http/base64url.ts";
import { verifyAssertion } from "../../../../routes/auth/oauth/client_assertion.ts";

const NOW_S = 1_800_000_000;
const ISSUER = "https://auth.example";
const CLIENT = "https://agent.example/client.json";

const { privateKey, publicKey } = await generateKeyPair("ES256");
const KEY = await exportJWK(publicKey) as Jwk;

const CLAIMS: JWTPayload = {
  iss: CLIENT,
  sub: CLIENT,
  aud: ISSUER,
  jti: "1",
  exp: NOW_S + 60,
};

async function verified(claims: JWTPayload) {
  const assertion = await new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ alg: "ES256" }).sign(privateKey);
  return await verify(assertion, [KEY]);
}

function verify(assertion: string, keys: readonly Jwk[]) {
  const nowMs = NOW_S * 1_000;
  const context = { clientId: CLIENT, issuer: ISSUER, keys, nowMs };
  return verifyAssertion(assertion, context);
}

Deno.test("verifyAssertion() tells whose assertion it is, its jti and when it ends", async () => {
  assertEquals(await verified({}), {
    clientId: CLIENT,
    jti: "1",
    expiresAtMs: (NOW_S + 60) * 1_000,
  });
});

Deno.test("verifyAssertion() takes assertions of five minutes, and ten seconds of another clock", async () => {
  const isTaken = async (exp: number) => await verified({ exp }) !== null;
  assertEquals(await isTaken(NOW_S + 310), true);
  assertEquals(await isTaken(NOW_S + 311), false);
  assertEquals(await isTaken(NOW_S - 9), true);
  assertEquals(await isTaken(NOW_S - 10), false);
});

Deno.test("verifyAssertion() takes a list of this one audience", async () => {
  assertEquals((await verified({ aud: [ISSUER] }))?.jti, "1");
  assertEquals(await verified({ aud: [ISSUER, ISSUER] }), null);
});

Deno.test("verifyAssertion() takes a jti of 255 characters and no longer one", async () => {
  const jti = "j".repeat(255);
  assertEquals((await verified({ jti }))?.jti, jti);
  assertEquals(await verified({ jti: `${jti}j` }), null);
});

Deno.test("verifyAssertion() answers null for an RSA key that is too short", async () => {
  const { publicKey } = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 1_024,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
    },
    true,
    ["sign", "verify"],
  );
  const short = await crypto.subtle.exportKey("jwk", publicKey);
  const header = toBase64url(JSON.stringify({ alg: "RS256" }));
  const payload = toBase64url(JSON.stringify(CLAIMS));
  const assertion = `${header}.${payload}.AAAA`;
  assertEquals(await verify(assertion, [short as unknown as Jwk]), null);
});
