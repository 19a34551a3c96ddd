import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type BucketLevel,
  fullAtMs,
  milliTokensAt,
  secondsToToken,
  TOKEN,
  wholeTokens,
} from "../../../domain/rate_limit/bucket_level.ts";
import type { BucketPolicy } from "../../../domain/rate_limit/policy.ts";

const START_MS = Date.parse("2026-11-20T12:00:00.000Z");
const PUBLIC: BucketPolicy = { capacity: 120, refillPerS: 2 };

const policies = fc.record({
  capacity: fc.integer({ min: 1, max: 1_000 }),
  refillPerS: fc.integer({ min: 1, max: 50 }),
});

/** Whole tokens by walking through every millisecond with exact integers. */
class NaiveBucket {
  #milli: bigint;
  #atMs: number;
  readonly #policy: BucketPolicy;

  constructor(policy: BucketPolicy, atMs: number) {
    this.#policy = policy;
    this.#milli = BigInt(policy.capacity) * 1_000n;
    this.#atMs = atMs;
  }

  take(nowMs: number): boolean {
    for (; this.#atMs < nowMs; this.#atMs++) {
      this.#milli += BigInt(this.#policy.refillPerS);
      const full = BigInt(this.#policy.capacity) * 1_000n;
      if (this.#milli > full) this.#milli = full;
    }
    if (this.#milli < 1_000n) return false;
    this.#milli -= 1_000n;
    return true;
  }

  get left(): number {
    return Number(this.#milli / 1_000n);
  }
}

Deno.test("the level agrees with a naive bucket at every request", () => {
  const steps = fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 200 });
  fc.assert(fc.property(policies, steps, (policy, pauses) => {
    const naive = new NaiveBucket(policy, START_MS);
    const level = { milliTokens: policy.capacity * TOKEN, atMs: START_MS };
    let nowMs = START_MS;
    for (const pause of pauses) {
      nowMs += pause;
      const milli = milliTokensAt(level, policy, nowMs);
      assertEquals(milli >= TOKEN, naive.take(nowMs));
      level.milliTokens = milli >= TOKEN ? milli - TOKEN : milli;
      level.atMs = nowMs;
      assertEquals(wholeTokens(level.milliTokens), naive.left);
    }
  }));
});

Deno.test("the level never exceeds the capacity nor falls by time", () => {
  const levels = fc.record({
    milliTokens: fc.integer({ min: 0, max: 1_000_000 }),
    atMs: fc.integer({ min: START_MS - 100_000, max: START_MS + 100_000 }),
  });
  fc.assert(fc.property(policies, levels, fc.nat(200_000), (policy, at, ms) => {
    const before = milliTokensAt(at, policy, START_MS);
    const after = milliTokensAt(at, policy, START_MS + ms);
    assert(after >= before);
    assert(after <= policy.capacity * TOKEN);
    assert(after - before <= ms * policy.refillPerS);
  }));
});

Deno.test("the level is full at fullAtMs() and not a millisecond before", () => {
  fc.assert(fc.property(policies, fc.double({ min: 0, max: 1 }), (p, part) => {
    const full = p.capacity * TOKEN;
    const milliTokens = Math.floor(part * (full - 1));
    if (!Number.isInteger(milliTokens)) return;
    const level = { milliTokens, atMs: START_MS };
    const fullMs = fullAtMs(level, p);
    assertEquals(milliTokensAt(level, p, fullMs), full);
    assert(milliTokensAt(level, p, fullMs - 1) < full);
  }));
});

Deno.test("secondsToToken() is the least whole number of seconds that suffices", () => {
  fc.assert(fc.property(policies, fc.nat(999), (policy, milliTokens) => {
    const level: BucketLevel = { milliTokens, atMs: START_MS };
    const seconds = secondsToToken(level, policy, START_MS);
    const then = (s: number) =>
      milliTokensAt(level, policy, START_MS + s * 1_000);
    assert(Number.isInteger(seconds) && seconds >= 1);
    assert(then(seconds) >= TOKEN);
    assert(seconds === 1 || then(seconds - 1) < TOKEN);
  }));
});

Deno.test("secondsToToken() counts from the clock of whoever asks", () => {
  const level = { milliTokens: 0, atMs: START_MS };
  assertEquals(secondsToToken(level, PUBLIC, START_MS), 1);
  assertEquals(secondsToToken(level, PUBLIC, START_MS - 3_000), 4);
  // A millisecond more than a second is two.
  const slow = { capacity: 1, refillPerS: 1 };
  assertEquals(secondsToToken(level, slow, START_MS - 1), 2);
});

Deno.test("a clock that runs backwards adds nothing", () => {
  const level = { milliTokens: 5 * TOKEN, atMs: START_MS };
  assertEquals(milliTokensAt(level, PUBLIC, START_MS - 60_000), 5 * TOKEN);
});

Deno.test("no rounding error gathers over a million requests", () => {
  const level = { milliTokens: 0, atMs: START_MS };
  for (let ms = 1; ms <= 1_000_000; ms++) {
    level.milliTokens = milliTokensAt(level, PUBLIC, START_MS + ms);
    level.atMs = START_MS + ms;
    if (level.milliTokens >= 100 * TOKEN) level.milliTokens -= 100 * TOKEN;
  }
  // 2,000 tokens came in, twenty times a hundred went out.
  assertEquals(level.milliTokens, 0);
});

Deno.test("a full bucket is full at once", () => {
  const level = { milliTokens: 120 * TOKEN, atMs: START_MS };
  assertEquals(fullAtMs(level, PUBLIC), START_MS);
});

Deno.test("secondsToToken() counts what a slow bucket already holds, and is a second where it holds a token", () => {
  const slow: BucketPolicy = { capacity: 10, refillPerS: 0.1 };
  const seconds = [0, 500, 999, 1_000, 2_000].map((milliTokens) =>
    secondsToToken({ milliTokens, atMs: START_MS }, slow, START_MS)
  );
  assertEquals(seconds, [10, 5, 1, 1, 1]);
});
