import { assertEquals } from "@std/assert";
import { randomIds } from "../../../adapters/crypto/random_ids.ts";

Deno.test("randomIds never repeats itself, however many are asked for", () => {
  const made = Array.from({ length: 20_000 }, (_, n) => {
    return n % 2 === 0 ? randomIds.secret() : randomIds.next("x");
  });
  assertEquals(new Set(made).size, made.length);
});

Deno.test("randomIds gives secrets of 43 characters and ids of 20 after the prefix", () => {
  for (let n = 0; n < 500; n++) {
    assertEquals(/^[A-Za-z0-9_-]{43}$/.test(randomIds.secret()), true);
    assertEquals(/^ad_[a-km-z2-9]{20}$/.test(randomIds.next("ad")), true);
  }
});
