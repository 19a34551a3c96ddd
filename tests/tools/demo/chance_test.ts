import { assert, assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { chanceOf, demoId } from "../../../tools/demo/chance.ts";

const numbers = (seed: string) => {
  const chance = chanceOf(seed);
  return Array.from({ length: 50 }, () => chance.integer(0, 1_000_000));
};

Deno.test("chanceOf() gives the same numbers for the same seed", () => {
  fc.assert(fc.property(fc.string(), (seed) => {
    assertEquals(numbers(seed), numbers(seed));
  }));
});

Deno.test("chanceOf() gives other numbers for a seed one letter away", () => {
  assertNotEquals(numbers("1|day|2026-11-19"), numbers("1|day|2026-11-18"));
});

Deno.test("integer() keeps to its bounds and reaches both", () => {
  const chance = chanceOf("bounds");
  const seen = new Set(Array.from({ length: 500 }, () => chance.integer(3, 6)));
  assertEquals([...seen].toSorted(), [3, 4, 5, 6]);
});

Deno.test("some() gives as many as asked, none of them twice", () => {
  fc.assert(fc.property(
    fc.uniqueArray(fc.nat()),
    fc.nat(20),
    fc.string(),
    (list, count, seed) => {
      const some = chanceOf(seed).some(list, count);
      assertEquals(some.length, Math.min(count, list.length));
      assertEquals(new Set(some).size, some.length);
      assert(some.every((each) => list.includes(each)));
    },
  ));
});

Deno.test("demoId() has the shape of the service's own ids", () => {
  assert(/^ad_[a-z2-9]{20}$/.test(demoId("ad", "1", "a@example.com/one")));
});

Deno.test("demoId() tells seeds, prefixes and names apart", () => {
  const ids = ["1", "2"].flatMap((seed) =>
    ["ad", "bid"].flatMap((prefix) =>
      ["a", "b"].map((name) => demoId(prefix, seed, name).split("_")[1])
    )
  );
  assertEquals(new Set(ids).size, 8);
});
