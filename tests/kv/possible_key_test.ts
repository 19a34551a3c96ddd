import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { isPossibleKey, MAX_KEY_BYTES } from "../../kv/possible_key.ts";
import { openTestStore } from "../support/store.ts";

const character = fc.constantFrom("x", "\0", "\x7f", "é", "€", "😀", "\uffff");
/** Text of about as many bytes as a key may have. */
const longText = fc.tuple(fc.array(character, { maxLength: 20 }), fc.nat(40))
  .map(([some, less]) => {
    const text = some.join("");
    return text + "x".repeat(Math.max(0, 2_060 - text.length - less));
  });
const exactPart = fc.oneof(longText, fc.double(), fc.boolean());

Deno.test("isPossibleKey() agrees with the store on text, numbers and booleans", async () => {
  await using test = await openTestStore();
  const keys = fc.array(exactPart, { minLength: 1, maxLength: 3 });
  await fc.assert(fc.asyncProperty(keys, async (key) => {
    const atomic = test.realKv.atomic();
    atomic.set(key, 1);
    const taken = await atomic.commit().then(() => true, () => false);
    assertEquals(isPossibleKey(key), taken);
  }));
});

Deno.test("isPossibleKey() allows no parts of types that our keys do not have", () => {
  for (const part of [new Uint8Array(1), 1n, Symbol.iterator]) {
    assertEquals(isPossibleKey(["bids", part as Deno.KvKeyPart]), false);
  }
});

Deno.test("isPossibleKey() refuses the empty key and text the store would change", () => {
  for (const key of [[], ["\ud800"], ["a", "x\udc00y"]]) {
    assertEquals(isPossibleKey(key), false);
  }
  assertEquals(isPossibleKey(["x".repeat(MAX_KEY_BYTES - 2)]), true);
  assertEquals(isPossibleKey(["x".repeat(MAX_KEY_BYTES - 1)]), false);
});
