import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { BoundedMap } from "../../../adapters/search/bounded_map.ts";

Deno.test("BoundedMap forgets the entry that was not asked for longest", () => {
  const map = new BoundedMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  assertEquals(map.get("a"), 1);
  map.set("c", 3);
  assertEquals(map.get("b"), undefined);
  assertEquals([map.get("a"), map.get("c"), map.size], [1, 3, 2]);
});

Deno.test("BoundedMap never holds more than it may, and what it holds is right", () => {
  const key = fc.constantFrom("a", "b", "c", "d", "__proto__");
  const step = fc.record({ key, value: fc.option(fc.integer()) });
  fc.assert(fc.property(fc.array(step), fc.integer({ min: 1, max: 4 }), (
    steps,
    max,
  ) => {
    const map = new BoundedMap<number>(max);
    const model = new Map<string, number>();
    for (const { key, value } of steps) {
      if (value !== null) {
        map.set(key, value);
        model.set(key, value);
      }
      const held = map.get(key);
      if (held !== undefined || value !== null) {
        assertEquals(held, model.get(key));
      }
      assertEquals(map.size <= max, true);
    }
  }));
});
