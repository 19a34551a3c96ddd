/**
 * Tokens that a process takes of a bucket ahead of the requests that will want
 * them, in the commit of the one that asks now. They are gone from the store, so
 * that no other process can give them, and those that nobody wanted go back with
 * the bucket's next commit, unless another process has written it since.
 *
 * @module
 */
import { type BucketLevel, fullAtMs, wholeTokens } from "./bucket_level.ts";
import type { BucketPolicy } from "./policy.ts";

/** How much is taken ahead. */
export interface LeasePolicy {
  /** Tokens for whoever asks once. */
  readonly first: number;
  /** Tokens at most, for whoever goes on asking. */
  readonly most: number;
  /** One of so many that are left, so that others find some too. */
  readonly share: number;
}

/** At most 15 tokens of a bucket are stranded when a process ends. */
export const LEASE: LeasePolicy = { first: 7, most: 15, share: 8 };
/** For buckets of which nothing is taken ahead. */
export const NO_LEASE: LeasePolicy = { ...LEASE, most: 0 };

/** Longest that a token is held, ms. */
const HELD_MS = 10_000;
/**
 * The same where other processes write the row, too: there, what is not used
 * up is lost.
 */
const HELD_SHARED_MS = 1_000;

/** Of a lease, how much is left when the next is taken: one in so many. */
const RENEWED_AT = 4;

/** Tokens to take ahead of a bucket that holds so much after this commit. */
export function leaseOf(
  { most, share }: LeasePolicy,
  milliTokens: number,
  wanted: number,
): number {
  return Math.min(most, wanted, Math.floor(wholeTokens(milliTokens) / share));
}

/**
 * Until when tokens that are held may be given: never longer than the row takes
 * to be full without them.
 */
export function leaseEndMs(
  row: BucketLevel,
  policy: BucketPolicy,
  isShared: boolean,
): number {
  const heldMs = isShared ? HELD_SHARED_MS : HELD_MS;
  return Math.min(row.atMs + heldMs, fullAtMs(row, policy));
}

/**
 * Whether it is time to take the next tokens, so that a client who goes on
 * asking finds some: few are left, or half of the time is over.
 */
export function isRenewalDue(
  left: number,
  lease: number,
  { fromMs, untilMs, nowMs }: {
    fromMs: number;
    untilMs: number;
    nowMs: number;
  },
): boolean {
  return left * RENEWED_AT <= lease || 2 * nowMs >= fromMs + untilMs;
}
