import { assertEquals } from "@std/assert";
import {
  bucketWrite,
  EXPIRY_MARGIN_MS,
  storedLevel,
} from "../../../domain/rate_limit/stored_level.ts";

const POLICY = { capacity: 120, refillPerS: 2 };
const NOW_MS = Date.parse("2026-11-20T12:00:00.000Z");

/** A row that was written by a clock so far ahead. */
function ahead(byMs: number) {
  const level = { milliTokens: 5, atMs: NOW_MS + byMs };
  return { key: "k", versionstamp: "v", level };
}

Deno.test("storedLevel() takes a row as it is up to the difference that clocks may have, and as of now beyond", () => {
  const atMs = [-1, 0, EXPIRY_MARGIN_MS, EXPIRY_MARGIN_MS + 1]
    .map((byMs) => storedLevel(ahead(byMs), POLICY, NOW_MS).atMs - NOW_MS);
  assertEquals(atMs, [-1, 0, EXPIRY_MARGIN_MS, 0]);
});

Deno.test("storedLevel() takes a bucket without a row for full", () => {
  const row = { key: "k", versionstamp: null, level: null };
  const full = { milliTokens: 120_000, atMs: NOW_MS };
  assertEquals(storedLevel(row, POLICY, NOW_MS), full);
});

Deno.test("bucketWrite() keeps a row a minute beyond the moment it is full, and never turns its time back", () => {
  const found = {
    key: "k",
    versionstamp: "v",
    policy: POLICY,
    milliTokens: 3_000,
    atMs: NOW_MS - 7,
  };
  // A hundred tokens come in 50 seconds.
  assertEquals(bucketWrite(found, 20_000, NOW_MS), {
    key: "k",
    versionstamp: "v",
    milliTokens: 20_000,
    atMs: NOW_MS,
    expireInMs: 50_000 + 60_000,
  });
  const later = bucketWrite({ ...found, atMs: NOW_MS + 7 }, 20_000, NOW_MS);
  assertEquals([later.atMs, later.expireInMs], [NOW_MS + 7, 110_007]);
});
