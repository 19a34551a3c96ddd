import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { keyText } from "../../kv/key_text.ts";

const text = fc.string({ unit: fc.constantFrom("1", ":", "?", '"', "[", "a") });
const key = fc.array(fc.oneof(text, fc.integer(), fc.boolean()), {
  maxLength: 3,
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
