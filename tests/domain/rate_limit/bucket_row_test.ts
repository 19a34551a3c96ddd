import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  BUCKET_ROW_BYTES,
  packLevel,
  unpackLevel,
} from "../../../domain/rate_limit/bucket_row.ts";

Deno.test("unpackLevel() gives back what packLevel() packed, in 16 bytes", () => {
  const levels = fc.record({
    milliTokens: fc.integer({ min: 0, max: 1e12 }),
    atMs: fc.integer({ min: 0, max: 8.64e15 }),
  }, { noNullPrototype: true });
  fc.assert(fc.property(levels, (level) => {
    const row = packLevel(level);
    assertEquals(row.byteLength, BUCKET_ROW_BYTES);
    assertEquals(unpackLevel(row), level);
  }));
});

Deno.test("unpackLevel() reads a bucket that is empty", () => {
  const empty = { milliTokens: 0, atMs: 0 };
  assertEquals(unpackLevel(packLevel(empty)), empty);
});

Deno.test("unpackLevel() reads a row that lies anywhere in its buffer", () => {
  const bytes = new Uint8Array(40);
  bytes.set(packLevel({ milliTokens: 119_000, atMs: 1_795_176_000_000 }), 3);
  assertEquals(unpackLevel(bytes.subarray(3, 19)), {
    milliTokens: 119_000,
    atMs: 1_795_176_000_000,
  });
});

Deno.test("a packed level is little-endian on every machine", () => {
  assertEquals(
    [...packLevel({ milliTokens: 1, atMs: 2 })],
    [0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x40],
  );
});

Deno.test("unpackLevel() refuses what is no row of ours", () => {
  const foreign = [
    null,
    "119",
    { milliTokens: 1, atMs: 1 },
    new Uint8Array(15),
    new Uint8Array(17),
    packLevel({ milliTokens: NaN, atMs: 0 }),
    packLevel({ milliTokens: -1, atMs: 0 }),
    packLevel({ milliTokens: Infinity, atMs: 0 }),
    packLevel({ milliTokens: 0, atMs: NaN }),
    packLevel({ milliTokens: 0, atMs: Infinity }),
  ];
  for (const row of foreign) assertEquals(unpackLevel(row), null);
});

Deno.test("unpackLevel() answers any bytes without throwing", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 32 }), (bytes) => {
    const level = unpackLevel(bytes);
    assertEquals(level === null || level.milliTokens >= 0, true);
  }));
});
