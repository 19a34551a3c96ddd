import { assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import {
  canonicalJson,
  type Json,
  requestHash,
} from "../../../domain/idempotency/canonical_json.ts";

Deno.test("canonicalJson() sorts members by name at every depth", () => {
  const value = { b: [{ d: 1, c: null }], a: true };
  assertEquals(canonicalJson(value), '{"a":true,"b":[{"c":null,"d":1}]}');
});

Deno.test("canonicalJson() keeps the order of a list", () => {
  assertEquals(canonicalJson([2, 1]), "[2,1]");
});

Deno.test("canonicalJson() means the same as JSON.stringify()", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const json = JSON.parse(JSON.stringify(value));
    assertEquals(JSON.parse(canonicalJson(json)), json);
  }));
});

Deno.test("requestHash() ignores the order of members and white space", () => {
  const text = '{"day":"2026-11-20","amount_cents":100}';
  const other = '{ "amount_cents": 1.0e2,\n"day":"2026-11-20" }';
  assertEquals(hashOf(text), hashOf(other));
});

Deno.test("requestHash() tells different requests apart", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
    const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
    if (canonicalJson(JSON.parse(left)) === canonicalJson(JSON.parse(right))) {
      return;
    }
    assertNotEquals(hashOf(left), hashOf(right));
  }));
});

Deno.test("requestHash() is SHA-256 in hex", () => {
  assertEquals(
    requestHash({}),
    "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
  );
});

function hashOf(text: string): string {
  return requestHash(JSON.parse(text) as Json);
}
