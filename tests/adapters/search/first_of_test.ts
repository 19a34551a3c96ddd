import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { firstOf } from "../../../adapters/search/first_of.ts";

Deno.test("firstOf() answers what sorting everything would", () => {
  const numbers = fc.uniqueArray(fc.integer());
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 20 }), (all, limit) => {
      const compare = (a: number, b: number) => b - a;
      assertEquals(
        firstOf(all, limit, compare),
        all.toSorted(compare).slice(0, limit),
      );
    }),
  );
});
