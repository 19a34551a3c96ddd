import { assertEquals } from "@std/assert";
import { parseJwks } from "../../../../domain/oauth/clients/jwks.ts";

const KEY = { kty: "EC", crv: "P-256", x: "x", y: "y" };

function set(...keys: unknown[]): unknown {
  return { keys };
}

Deno.test("parseJwks() takes one public key to twenty", () => {
  assertEquals(parseJwks(set(KEY)), [KEY]);
  const twenty = Array.from({ length: 20 }, () => KEY);
  assertEquals(parseJwks(set(...twenty)), twenty);
  assertEquals(parseJwks(set(...twenty, KEY)), null);
  assertEquals(parseJwks(set()), null);
});

Deno.test("parseJwks() takes no set of which one key is private, symmetric or none", () => {
  const bad = [
    { ...KEY, d: "d" },
    { kty: "oct", k: "k" },
    { kty: "oct" },
    { ...KEY, kty: 1 },
    { crv: "P-256" },
    null,
    "key",
  ];
  for (const key of bad) {
    assertEquals(parseJwks(set(KEY, key)), null, JSON.stringify(key));
    assertEquals(parseJwks(set(key)), null, JSON.stringify(key));
  }
});

Deno.test("parseJwks() takes nothing but an object with a list", () => {
  for (const value of [null, [], "keys", {}, { keys: KEY }, { keys: "k" }]) {
    assertEquals(parseJwks(value), null, JSON.stringify(value));
  }
});
