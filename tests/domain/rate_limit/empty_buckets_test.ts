import { assertEquals } from "@std/assert";
import type { Charge } from "../../../domain/rate_limit/charge.ts";
import { EmptyBuckets } from "../../../domain/rate_limit/empty_buckets.ts";

const POLICY = { capacity: 10, refillPerS: 1 };

Deno.test("a bucket that has a token takes no place from one that is empty", () => {
  const buckets = new EmptyBuckets(1);
  const [empty, full] = [chargeOf("empty"), chargeOf("full")];
  buckets.note("empty", empty, { milliTokens: 0, atMs: 0 }, 0);
  buckets.note("full", full, { milliTokens: 1_000, atMs: 0 }, 0);
  assertEquals(buckets.denial(new Map([["full", full]]), 0), null);
  assertEquals(buckets.denial(new Map([["empty", empty]]), 0), {
    admitted: false,
    retryAfterS: 1,
    emptied: "empty",
  });
});

function chargeOf(id: string): Charge {
  return { id, policy: POLICY };
}
