import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readParameters } from "../../../domain/oauth/parameters.ts";

const piece = fc.string({
  unit: fc.constantFrom(
    ...["a", "=", "&", "+", "?", "é", "%", "%41", "%e2%82%ac"],
    ...["%3d", "%26", "%3f", "%ff", "%ef%bb%bf", "%00"],
  ),
  maxLength: 12,
});

Deno.test("readParameters() reads what URLSearchParams reads, without empty values", () => {
  fc.assert(fc.property(piece, (text) => {
    // It drops a question mark ahead of the first pair only.
    const pairs = text.split("&").flatMap((pair) => [
      ...new URLSearchParams(pair),
    ]).filter(([, value]) => value !== "");
    const form = readParameters(text);
    for (const [name] of pairs) {
      const values = pairs.filter(([each]) => each === name).map(([, v]) => v);
      assertEquals(form.all(name), values);
      assertEquals(form.get(name), values[0]);
      assertEquals(form.repeated.has(name), values.length > 1);
    }
    assertEquals(form.get("absent"), null);
  }));
});

Deno.test("readParameters() drops a question mark ahead of a pair, whether or not the rest needs decoding", () => {
  for (const text of ["?a=1", "b=2&?a=1", "?a=%31", "?%61=1", "?+=2&?a=1"]) {
    const form = readParameters(text);
    assertEquals([form.get("a"), form.get("?a")], ["1", null], text);
  }
});

Deno.test("readParameters() takes an absent and an empty value for the same", () => {
  const form = readParameters("a=&b=1&c&=x");
  assertEquals([form.get("a"), form.get("b"), form.get("c")], [
    null,
    "1",
    null,
  ]);
});
