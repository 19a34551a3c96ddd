import { assertEquals } from "@std/assert";
import {
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
