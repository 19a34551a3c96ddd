/** How much is held ahead of requests, and how long. */
import { assertEquals } from "@std/assert";
import {
  isRenewalDue,
  LEASE,
  leaseEndMs,
  leaseOf,
} from "../../../domain/rate_limit/lease.ts";

const POLICY = { capacity: 120, refillPerS: 2 };

Deno.test("leaseOf() takes an eighth of what is left, never more than is wanted or 15", () => {
  const lease = (tokens: number, wanted: number) =>
    leaseOf(LEASE, tokens * 1_000, wanted);
  assertEquals([lease(64, 99), lease(63, 99), lease(7, 99)], [8, 7, 0]);
  assertEquals([lease(1_000, 99), lease(1_000, 3)], [15, 3]);
});

Deno.test("leaseEndMs() holds tokens 10 seconds, one where others write the row, and never beyond its being full", () => {
  const end = (milliTokens: number, isShared: boolean) =>
    leaseEndMs({ milliTokens, atMs: 500 }, POLICY, isShared) - 500;
  assertEquals([end(0, false), end(0, true)], [10_000, 1_000]);
  assertEquals([end(119_000, false), end(119_000, true)], [500, 500]);
});

Deno.test("isRenewalDue() is so when a quarter is left, or half of the time is over", () => {
  const due = (left: number, nowMs: number) =>
    isRenewalDue(left, 9, { fromMs: 1_000, untilMs: 2_000, nowMs });
  assertEquals([due(2, 1_000), due(3, 1_000)], [true, false]);
  assertEquals([due(9, 1_499), due(9, 1_500)], [false, true]);
});
