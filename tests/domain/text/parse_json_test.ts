import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { JSON_DEPTH_MAX, parseJson } from "../../../domain/text/parse_json.ts";
import { stopwatch } from "../../support/stopwatch.ts";

function faultOf(text: string): string | null {
  const read = parseJson(text);
  return read.ok ? null : read.fault;
}

/** Any way of writing a name: each character as it is or escaped. */
const written = fc.array(
  fc.tuple(
    fc.constantFrom("a", "b", '"', "\\", ":", "{", "é", "__proto__", "1"),
    fc.boolean(),
  ),
  { maxLength: 3 },
).map((parts) => ({
  name: parts.map(([text]) => text).join(""),
  text: `"${
    parts.map(([text, isEscaped]) =>
      isEscaped
        ? [...text].map((c) =>
          `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`
        ).join("")
        : JSON.stringify(text).slice(1, -1)
    ).join("")
  }"`,
}));

const member = fc.tuple(written, fc.jsonValue());

Deno.test("parseJson() reads whatever JSON.stringify() writes", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(3), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      assertEquals(parseJson(text), { ok: true, value: JSON.parse(text) });
    }),
  );
});

Deno.test("parseJson() takes an object exactly if its names differ once unescaped", () => {
  fc.assert(
    fc.property(
      fc.array(member, { maxLength: 4 }),
      fc.boolean(),
      (members, nested) => {
        const pairs = members.map(([name, value]) =>
          `${name.text} : ${JSON.stringify(value)}`
        );
        const object = `{${pairs.join(",")}}`;
        const text = nested ? `[0, {"outer": ${object}}]` : object;
        const differ = new Set(members.map(([{ name }]) => name));
        const isFine = differ.size === members.length;
        assertEquals(faultOf(text), isFine ? null : "repeated_member", text);
      },
    ),
  );
});

Deno.test("parseJson() takes no text that JSON.parse() refuses, and no other", () => {
  const piece = fc.constantFrom(
    ...'{}[]:,\\" \n01e-.',
    '"a"',
    '"\\u0061"',
    "null",
    "true",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      assertEquals(faultOf(text) !== "not_json", isJson, text);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("parseJson() refuses a name that is written twice in two ways", () => {
  assertEquals(faultOf('{"a":1,"\\u0061":2}'), "repeated_member");
  assertEquals(faultOf('[{"x":{"b":1,"b":1}}]'), "repeated_member");
  assertEquals(faultOf('{"__proto__":1,"__proto__":2}'), "repeated_member");
  assertEquals(faultOf('{"a":{"b":1},"b":{"a":1}}'), null);
  assertEquals(faultOf('{"a:a":"b:b"}'), null);
});

Deno.test("parseJson() refuses what is nested too deeply, lists and objects alike", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  assertEquals(faultOf(nested(JSON_DEPTH_MAX)), null);
  assertEquals(faultOf(nested(JSON_DEPTH_MAX + 1)), "too_deep");
  assertEquals(faultOf('{"a":'.repeat(100_000)), "too_deep");
  assertEquals(faultOf(`[${"[],".repeat(1_000)}[]]`), null);
});

Deno.test("parseJson() takes time in proportion to the text", () => {
  const hostile = [
    (n: number) => `"${"\\\\".repeat(n)}"`,
    (n: number) => `"${'\\"'.repeat(n)}"`,
    (n: number) => `{${range(n).map((i) => `"${i}":0`).join()}}`,
    (n: number) => `{${range(n).map(() => '"a":0').join()}}`,
    (n: number) => `[${range(n).map(() => "{}").join()}]`,
    (n: number) => '"'.repeat(n),
  ];
  for (const [nth, text] of hostile.entries()) {
    const [short, long] = [4_000, 32_000].map((n) => fastest(text(n)));
    // Eight times as long; quadratic would be 64 times the time.
    const isLinear = (long ?? 0) < 30 * Math.max(short ?? 0, 0.05);
    assertEquals(isLinear, true, `${nth}: ${short} and ${long} ms`);
  }
});

function range(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}

function fastest(text: string): number {
  const times = range(7).map(() => {
    const tookMs = stopwatch();
    parseJson(text);
    return tookMs();
  });
  return Math.min(...times);
}
