import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { createHmac } from "node:crypto";
import { hmacSha256 } from "../../domain/sha256.ts";

Deno.test("hmacSha256() answers what RFC 4231 prints", () => {
  const hmac = hmacSha256(new TextEncoder().encode("Jefe"));
  const text = "what do ya want for nothing?";
  const printed =
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  assertEquals([hmac(text, "hex"), hmac(text, "hex")], [printed, printed]);
});

Deno.test("hmacSha256() is the platform's HMAC of any text under any key", () => {
  const key = fc.uint8Array({ maxLength: 64 });
  const text = fc.string({ unit: "grapheme", maxLength: 300 });
  fc.assert(
    fc.property(key, fc.array(text), (bytes, texts) => {
      const hmac = hmacSha256(bytes);
      for (const each of texts) {
        const expected = createHmac("sha256", bytes).update(each);
        assertEquals(hmac(each, "base64url"), expected.digest("base64url"));
      }
    }),
  );
});

Deno.test("hmacSha256() takes no key that is longer than a block", () => {
  assertThrows(() => hmacSha256(new Uint8Array(65)));
});
