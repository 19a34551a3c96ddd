import {
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
} from "@panva/jose";
import { assertEquals } from "@std/assert";
import type { Jwk } from "../../../../domain/oauth/client.ts";
import { toBase64url } from "../../../../routes/http/base64url.ts";
import {
  claimedClient,
  verifyAssertion,
} from "../../../../routes/auth/oauth/client_assertion.ts";

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

const ZEROES = "A".repeat(43);

/** What a stranger may publish as a key. */
const ODD_KEYS: readonly Record<string, unknown>[] = [
  { kty: "EC" },
  { kty: "EC", crv: "P-256", x: "AA", y: "AA" },
  { kty: "EC", crv: "P-256", x: ZEROES, y: ZEROES },
  { kty: "EC", crv: "P-256", x: 5, y: {} },
  { kty: "EC", crv: "P-256", x: ZEROES, y: ZEROES, key_ops: "x" },
  { kty: "EC", crv: "P-256", x: ZEROES, y: ZEROES, alg: 5, use: "enc" },
  { kty: "OKP", crv: "Ed25519", x: "AA" },
  { kty: "OKP", crv: "Ed25519", x: ZEROES, ext: "no" },
  { kty: "RSA" },
  { kty: "RSA", n: "", e: "" },
  { kty: "RSA", n: "AQAB", e: "AQAB" },
  { kty: "RSA", n: "A".repeat(2_000), e: "A" },
  { kty: "\ud800" },
];

Deno.test("verifyAssertion() answers null for keys of any shape, and for claims of any type", async () => {
  const headers = [{}, { b64: false, crit: ["b64"] }, { kid: {} }, { alg: 5 }];
  const odd = { ...CLAIMS, aud: [{}], exp: "x", jti: 1, sub: [CLIENT] };
  for (const key of ODD_KEYS) {
    for (const alg of ["ES256", "EdDSA", "RS256", "PS256", "none"]) {
      for (const header of headers) {
        for (const claims of [CLAIMS, odd]) {
          const [head = "", payload = ""] = [{ alg, ...header }, claims]
            .map((part) => toBase64url(JSON.stringify(part)));
          const assertion = `${head}.${payload}.AAAA`;
          assertEquals(await verify(assertion, [key as unknown as Jwk]), null);
        }
      }
    }
  }
});

Deno.test("claimedClient() answers texts alone", () => {
  const claimed = (sub: unknown) =>
    claimedClient(`e30.${toBase64url(JSON.stringify({ sub }))}.AAAA`);
  assertEquals(claimed(CLIENT), CLIENT);
  for (const sub of [5, true, 0, null, {}, [CLIENT], undefined]) {
    assertEquals(claimed(sub), null);
  }
});
