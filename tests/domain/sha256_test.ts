import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { createHash, createHmac } from "node:crypto";
import { hmacSha256, sha256Text } from "../../domain/sha256.ts";

/** Letters beyond ASCII, halves of surrogate pairs, and more than is short. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
    .map((units) => String.fromCharCode(...units)),
  fc.tuple(fc.string({ unit: "binary", minLength: 1 }), fc.nat(1_500))
    .map(([unit, times]) => unit.repeat(times)),
);
const encoding = fc.constantFrom("hex" as const, "base64url" as const);

Deno.test("sha256Text() answers what FIPS 180-2 prints", () => {
  assertEquals(
    sha256Text("abc", "hex"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

Deno.test("sha256Text() is the platform's SHA-256 of any text", () => {
  fc.assert(fc.property(fc.array(text), encoding, (texts, written) => {
    for (const each of texts) {
      const expected = createHash("sha256").update(each).digest(written);
      assertEquals(sha256Text(each, written), expected);
    }
  }));
});

Deno.test("hmacSha256() answers what RFC 4231 prints", () => {
  const hmac = hmacSha256(new TextEncoder().encode("Jefe"));
  const printed =
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  const asked = "what do ya want for nothing?";
  assertEquals([hmac(asked, "hex"), hmac(asked, "hex")], [printed, printed]);
});

Deno.test("hmacSha256() is the platform's HMAC of any text under any key", () => {
  const key = fc.uint8Array({ maxLength: 64 });
  fc.assert(
    fc.property(key, fc.array(text), encoding, (bytes, texts, written) => {
      const hmac = hmacSha256(bytes);
      for (const each of texts) {
        const expected = createHmac("sha256", bytes).update(each);
        assertEquals(hmac(each, written), expected.digest(written));
      }
    }),
  );
});

Deno.test("hmacSha256() takes no key that is longer than a block", () => {
  assertThrows(() => hmacSha256(new Uint8Array(65)));
});
