import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { keyText } from "../../kv/key_text.ts";

const text = fc.string({ unit: fc.constantFrom("1", ":", "?", '"', "[", "a") });
const key = fc.array(fc.oneof(text, fc.integer(), fc.boolean()), {
  maxLength: 3,
});

Deno.test("keyText() tells parts of every kind apart", () => {
  const bytes = [new Uint8Array(), new Uint8Array([1]), new Uint8Array([1, 2])];
  const keys = [[1], [1n], ["1"], [true], [0], [-0], [NaN], [Infinity], [1, 2]]
    .concat(bytes.map((part) => [part]) as never);
  assertEquals(new Set(keys.map(keyText)).size, keys.length);
});

Deno.test("keyText() is the same for the same key and another for any other", () => {
  fc.assert(
    fc.property(key, key, (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other);
      assertEquals(keyText(one) === keyText(other), same);
      assertEquals(keyText(one), keyText([...one]));
    }),
    { numRuns: 2_000 },
  );
});
