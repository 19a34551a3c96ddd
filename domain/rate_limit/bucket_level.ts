/**
 * The arithmetic of a token bucket. Tokens are counted in thousandths: at a
 * whole number of tokens a second and whole milliseconds every sum is an
 * integer, so nothing is gained or lost by rounding however long it runs. Of a
 * bucket that fills more slowly it is a billionth of a token a sum.
 *
 * @module
 */
import type { BucketPolicy } from "./policy.ts";

/** One token, in the unit levels are counted in. */
export const TOKEN = 1_000;

/** What was in a bucket at a moment. */
export interface BucketLevel {
  /** Thousandths of a token, a whole number from 0 to the capacity. */
  milliTokens: number;
  /** Epoch milliseconds. */
  atMs: number;
}

/**
 * Thousandths of a token in the bucket at `nowMs`. Time that runs backwards,
 * here or on the machine that wrote the level, adds nothing.
 */
export function milliTokensAt(
  level: BucketLevel,
  policy: BucketPolicy,
  nowMs: number,
): number {
  const full = policy.capacity * TOKEN;
  const elapsedMs = nowMs - level.atMs;
  if (elapsedMs <= 0) return Math.min(full, level.milliTokens);
  return Math.min(full, level.milliTokens + elapsedMs * policy.refillPerS);
}

/** Whole tokens in thousandths of one. */
export function wholeTokens(milliTokens: number): number {
  return Math.floor(milliTokens / TOKEN);
}

/** Epoch milliseconds at which the bucket is full again. */
export function fullAtMs(level: BucketLevel, policy: BucketPolicy): number {
  const missing = policy.capacity * TOKEN - level.milliTokens;
  return level.atMs + Math.max(0, Math.ceil(missing / policy.refillPerS));
}

/** Whole seconds until the bucket holds a token, at least 1. */
export function secondsToToken(
  level: BucketLevel,
  policy: BucketPolicy,
  nowMs: number,
): number {
  const missing = TOKEN - milliTokensAt(level, policy, nowMs);
  const aheadMs = Math.max(0, level.atMs - nowMs);
  const waitMs = aheadMs + missing / policy.refillPerS;
  return Math.max(1, Math.ceil(waitMs / 1_000));
}
