import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { readParameters } from "../../../domain/oauth/parameters.ts";

const piece = fc.string({
  unit: fc.constantFrom(
    ...["a", "=", "&", "+", "?", "é", "%", "%41", "%e2%82%ac"],
    ...["%3d", "%26", "%3f", "%ff", "%ef%bb%bf", "%00"],
  ),
  maxLength: 12,
});

/** Few names, so that some of them repeat. */
const repeating = fc.array(
  fc.tuple(fc.constantFrom("a", "b"), fc.constantFrom("", "1", "%32", "3")),
  { maxLength: 6 },
).map((all) => all.map(([name, value]) => `${name}=${value}`).join("&"));

Deno.test("readParameters() reads what URLSearchParams reads, without empty values", () => {
  fc.assert(fc.property(fc.oneof(piece, repeating), (text) => {
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

Deno.test("readParameters() tells which names came more than once, with every value", () => {
  const form = readParameters("a=1&b=2&a=3&b=&c=4&a=1");
  assertEquals([...form.repeated], ["a"]);
  assertEquals(form.all("a"), ["1", "3", "1"]);
  assertEquals(form.all("b"), ["2"]);
});

Deno.test("encoded() decodes to what came and is safe anywhere, however it was written", () => {
  fc.assert(fc.property(piece, (text) => {
    const value = text.replaceAll("&", "");
    const form = readParameters(`state=${value}`);
    const encoded = form.encoded("state");
    assertEquals(encoded === null, value === "");
    const again = new URLSearchParams(`state=${encoded ?? ""}`);
    assertEquals(again.get("state"), form.get("state") ?? "");
    assertMatch(encoded ?? "", /^[A-Za-z0-9\-._~%]*$/);
  }));
  const form = readParameters("other=1&state=a+b%2fc!'()*&last=2");
  assertEquals(form.encoded("state"), "a%20b%2fc%21%27%28%29%2a");
  // Bytes that are no text stay what they are.
  assertEquals(readParameters("state=%ff%").encoded("state"), "%ff%25");
});
