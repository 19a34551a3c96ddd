import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Json } from "../../../domain/idempotency/canonical_json.ts";
import {
  JSON_DEPTH_MAX,
  JSON_PARTS_MAX,
  parseJson,
} from "../../../domain/text/parse_json.ts";
import { stopwatch } from "../../support/stopwatch.ts";

function faultOf(text: string): string | null {
  const read = parseJson(text);
  return read.ok ? null : read.fault;
}

/** What JSON.stringify() writes of a value: 0 for -0. JSON.parse() may err. */
function asWritten(value: unknown): Json {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(asWritten);
  if (typeof value !== "object" || value === null) return value as Json;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, asWritten(each)]),
  );
}

/** How many members and elements a value has, those of its parts included. */
function partsOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts = Object.values(value);
  return parts.length + parts.reduce((sum, each) => sum + partsOf(each), 0);
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

/** Names as they are written, and what they are. */
const ESCAPED = [
  ["\\n", "\n"],
  ['\\"', '"'],
  ["\\u0061", "a"],
  ["_\\u0022", '_"'],
  ["caf\\u00e9s", "cafés"],
] as const;

const member = fc.tuple(written, fc.jsonValue().map(asWritten));

Deno.test("parseJson() reads whatever JSON.stringify() writes", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(3), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      assertEquals(
        parseJson(text),
        partsOf(value) > JSON_PARTS_MAX
          ? { ok: false, fault: "too_many_parts" }
          : { ok: true, value: asWritten(value) },
      );
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
        const named: Json = Object.fromEntries(
          members.map(([{ name }, value]) => [name, value]),
        );
        const value: Json = nested ? [0, { outer: named }] : named;
        if (partsOf(members.map(([, each]) => each)) > 200) return;
        const isFine = Object.keys(named).length === members.length;
        assertEquals(
          parseJson(text),
          isFine
            ? { ok: true, value }
            : { ok: false, fault: "repeated_member" },
          text,
        );
      },
    ),
    { numRuns: 1_000 },
  );
});

Deno.test("parseJson() reads a name with an escape whatever names it has read before", () => {
  const readNames = (text: string) => {
    const read = parseJson(text);
    return read.ok ? Object.keys(read.value ?? {}) : read.fault;
  };
  for (const [written, name] of ESCAPED) {
    for (const before of ["", "ab", "_"]) {
      const text = (name: string) => `{"${before}":1,"x":2,"${name}":3}`;
      // JSON.parse of V8 15 takes the name for this one from now on.
      const raw = JSON.stringify(written.slice(0, name.length)).slice(1, -1);
      for (let nth = 0; nth < 3; nth++) JSON.parse(text(raw));
      assertEquals(readNames(text(written)), [before, "x", name]);
      assertEquals(readNames(text(raw)), [
        before,
        "x",
        written.slice(0, name.length),
      ]);
    }
  }
  assertEquals(
    faultOf('{"ab":1,"x":1,"\\n":2,"\\u000a":3}'),
    "repeated_member",
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
  assertEquals(faultOf(`[${"[],".repeat(300)}[]]`), null);
});

Deno.test("parseJson() takes so many members and elements together and not one more, wherever they stand", () => {
  const most = JSON_PARTS_MAX;
  const places: readonly ((n: number) => Json)[] = [
    (n) => range(n),
    (n) => range(n).map(() => ({})),
    (n) => Object.fromEntries(range(n).map((i) => [`a${i}`, i])),
    (n) => [range(n - 1)],
    (n) => ({ list: [{ of: range(n - 3) }] }),
    (n) => range(n / 2).map(() => [1]),
    (n) => [...range(n / 4).map(() => ({ a: 1, b: [] })), ...range(n / 4)],
  ];
  for (const make of places) {
    assertEquals(faultOf(JSON.stringify(make(most))), null, String(make));
    const more = JSON.stringify([make(most)]);
    assertEquals(faultOf(more), "too_many_parts", String(make));
  }
});

Deno.test("parseJson() makes nothing of members that are too many", () => {
  // It is no JSON at its end, which only who parses it finds out.
  const unended = (count: number) => `{${'"a":1,'.repeat(count)}`;
  assertEquals(faultOf(unended(JSON_PARTS_MAX)), "not_json");
  assertEquals(faultOf(unended(JSON_PARTS_MAX + 1)), "too_many_parts");
  const read = parseJson('{"a":1,"b":[2]}', 2);
  assertEquals(read, { ok: false, fault: "too_many_parts" });
  assertEquals(parseJson('{"a":1,"b":[2]}', 3).ok, true);
});

Deno.test("parseJson() takes time in proportion to the text", () => {
  const hostile = [
    (n: number) => `"${"\\\\".repeat(n)}"`,
    (n: number) => `"${'\\"'.repeat(n)}"`,
    (n: number) => `{${range(n).map((i) => `"${i}":0`).join()}}`,
    (n: number) => `{${range(n).map(() => '"a":0').join()}}`,
    (n: number) => `[${range(n).map(() => "{}").join()}]`,
    (n: number) => '"'.repeat(n),
    (n: number) => `"\\\\"${":".repeat(n)}`,
  ];
  for (const [nth, text] of hostile.entries()) {
    const [short, long] = [2_000, 64_000].map((n) => fastest(text(n)));
    // 32 times as long; quadratic would be 1,024 times the time.
    const isLinear = (long ?? 0) < 200 * Math.max(short ?? 0, 0.05);
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
