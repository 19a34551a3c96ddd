import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import {
  slipsBetween,
  slipsForgiven,
} from "../../../adapters/search/expand_query.ts";

Deno.test("slipsBetween() counts slips of the finger", () => {
  for (
    const [a, b, slips] of [
      ["lamp", "lamp", 0],
      ["lamp", "lapm", 1],
      ["lamp", "lamps", 1],
      ["lamp", "lmp", 1],
      ["lamp", "limp", 1],
      ["bycicle", "bicycle", 2],
      ["lamp", "tram", 3],
      ["", "ab", 2],
    ] as const
  ) assertEquals(slipsBetween(a, b, 2), slips, `${a} ${b}`);
});

Deno.test("slipsBetween() is the same both ways, and 0 for the same word only", () => {
  const word = fc.stringMatching(/^[abc]{0,8}$/);
  fc.assert(fc.property(word, word, fc.nat(3), (a, b, max) => {
    const slips = slipsBetween(a, b, max);
    assertEquals(slipsBetween(b, a, max), slips);
    assertEquals(slips === 0, a === b);
    assert(slips <= max + 1);
    assert(slips > max || slips === slipsBetween(a, b, 8));
  }));
});

Deno.test("slipsForgiven() forgives nothing in short words", () => {
  assertEquals([3, 4, 6, 7, 30].map(slipsForgiven), [0, 1, 1, 2, 2]);
});
