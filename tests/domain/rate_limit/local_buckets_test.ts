import { assertEquals } from "@std/assert";
import { LocalBuckets } from "../../../domain/rate_limit/local_buckets.ts";

const NARROW = { id: "narrow", policy: { capacity: 2, refillPerS: 1 } };
const WIDE = { id: "wide", policy: { capacity: 3, refillPerS: 1 } };
const OTHER = { id: "other", policy: { capacity: 2, refillPerS: 1 } };

Deno.test("LocalBuckets take of each bucket, or of none when one is empty", () => {
  const buckets = new LocalBuckets(10);
  const take = (id: typeof NARROW, nowMs = 0) =>
    buckets.takeAll([id, WIDE], nowMs);
  assertEquals(take(NARROW), { admitted: true, remaining: 1 });
  assertEquals(take(NARROW), { admitted: true, remaining: 0 });
  assertEquals(take(NARROW), { admitted: false, retryAfterS: 1 });
  // Of the wide one nothing was taken by what was refused.
  assertEquals(take(OTHER), { admitted: true, remaining: 0 });
  assertEquals(take(OTHER), { admitted: false, retryAfterS: 1 });
  assertEquals(take(OTHER, 1_000), { admitted: true, remaining: 0 });
});

Deno.test("LocalBuckets remember so many, and one that was forgotten is full", () => {
  const buckets = new LocalBuckets(1);
  const take = (id: typeof NARROW) => buckets.takeAll([id], 0);
  take(NARROW);
  assertEquals(take(NARROW), { admitted: true, remaining: 0 });
  assertEquals(take(OTHER), { admitted: true, remaining: 1 });
  assertEquals(take(NARROW), { admitted: true, remaining: 1 });
});
