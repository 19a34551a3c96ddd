/**
 * Tokens that a process takes of a bucket ahead of the requests that will want
 * them, in the commit of the one that asks now. They are gone from the store, so
 * that no other process can give them, and those that nobody wanted go back with
 * the bucket's next commit, unless another process has written it since.
 *
 * @module
 */
import {
  type BucketLevel,
  fullAtMs,
  TOKEN,
  wholeTokens,
} from "./bucket_level.ts";
import type { BucketPolicy } from "./policy.ts";

/** How much is taken ahead. */
export interface LeasePolicy {
  /** Tokens at most. */
  readonly most: number;
  /** One of so many that are left, so that others find some too. */
  readonly share: number;
}

/** What is stranded at most when a process ends, of each bucket. */
export const LEASE: LeasePolicy = { most: 7, share: 16 };

/** Longest that a token is held, ms. */
const HELD_MS = 1_000;

/** Tokens to take ahead of a bucket that holds so much after this commit. */
export function leaseOf(
  { most, share }: LeasePolicy,
  milliTokens: number,
  wanted: number,
): number {
  return Math.min(most, wanted, Math.floor(wholeTokens(milliTokens) / share));
}

/**
 * Until when tokens that are held may be given: never longer than the bucket,
 * they included, takes to be full. So what is held and what is stored are
 * never more than the bucket's capacity together.
 */
export function leaseEndMs(
  level: BucketLevel,
  policy: BucketPolicy,
  nowMs: number,
): number {
  return Math.min(nowMs + HELD_MS, fullAtMs(level, policy));
}

/** What the store is told that a bucket holds, of which so much is held. */
export function withoutLease(milliTokens: number, leased: number): number {
  return milliTokens - leased * TOKEN;
}
