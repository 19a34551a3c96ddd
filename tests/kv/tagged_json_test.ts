import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { serialize } from "node:v8";
import {
  fromTagged,
  type Json,
  keyFromTagged,
  NotTaggedJson,
  toTagged,
} from "../../kv/tagged_json.ts";
import { storable, storableKey } from "./storable.ts";

Deno.test("toTagged() leaves what JSON has as it is", () => {
  const plain = { a: [1, "b", null, true, 0.5], c: { d: "" } };
  assertEquals(toTagged(plain), plain);
});

Deno.test("fromTagged() brings back every value, through JSON text", () => {
  fc.assert(fc.property(storable, (value) => {
    const text = JSON.stringify(toTagged(value));
    assertEquals(fromTagged(JSON.parse(text)), structuredClone(value));
  }));
});

Deno.test("keyFromTagged() brings back every key, through JSON text", () => {
  fc.assert(fc.property(storableKey, (key) => {
    const text = JSON.stringify(toTagged(key));
    assertEquals(keyFromTagged(JSON.parse(text)), key);
  }));
});

Deno.test("fromTagged() tells apart what JSON does not", () => {
  for (const value of [-0, NaN, Infinity, -Infinity, undefined]) {
    assertStrictEquals(fromTagged(toTagged(value)), value);
  }
  const counter = fromTagged(toTagged(new Deno.KvU64(2n ** 64n - 1n)));
  assertEquals(counter, new Deno.KvU64(2n ** 64n - 1n));
});

Deno.test("fromTagged() is not deceived by members called like its own", () => {
  const values = [
    { $: "undefined" },
    { $: { $: "hole" }, v: 1 },
    JSON.parse('{"__proto__": {"polluted": 1}, "$": 2}'),
    JSON.parse('{"__proto__": {"polluted": 1}}'),
    [{ $: "hole" }],
  ];
  for (const value of values) {
    const back = fromTagged(JSON.parse(JSON.stringify(toTagged(value))));
    assertEquals(back, value);
    assertEquals((back as { polluted?: number }).polluted, undefined);
  }
});

Deno.test("fromTagged() gives bytes a buffer of their own", () => {
  const bytes = fromTagged(toTagged(new Uint8Array([1, 2, 3])));
  assertEquals((bytes as Uint8Array).buffer.byteLength, 3);
});

Deno.test("fromTagged() makes arrays that are stored as small after one with holes", () => {
  const text = JSON.stringify(Array.from({ length: 1_000 }, () => 0.5));
  const fresh = serialize(JSON.parse(text)).byteLength;
  for (let n = 0; n < 1_000; n++) fromTagged([{ $: "hole" }, 0.5]);
  const restored = serialize(fromTagged(JSON.parse(text))).byteLength;
  assertEquals(restored, fresh);
});

Deno.test("toTagged() refuses what it would change", () => {
  const values = [
    new Map(),
    new Set(),
    new Uint16Array(1),
    new ArrayBuffer(1),
    /x/,
    new Error("x"),
    () => 1,
    Symbol("x"),
    Object.assign([1], { more: 2 }),
    { deep: [new Map()] },
  ];
  for (const value of values) {
    assertThrows(() => toTagged(value), NotTaggedJson);
  }
});

Deno.test("fromTagged() refuses what toTagged() does not write", () => {
  const lines: Json[] = [
    { $: "map", v: "" },
    { $: "bigint" },
    { $: "bytes", v: 5 },
    { $: 1, v: "x" },
    { $: "object", v: [[1, 2]] },
  ];
  for (const line of lines) {
    assertThrows(() => fromTagged(line), NotTaggedJson);
  }
  for (const key of [[], "a", null, [null], [["a"]], undefined]) {
    assertThrows(() => keyFromTagged(key as Json), NotTaggedJson);
  }
});
