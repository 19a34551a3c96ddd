import {
  type BucketLevel,
  fullAtMs,
  milliTokensAt,
  secondsToToken,
  TOKEN,
} from "./bucket_level.ts";
import type { BucketRow } from "./bucket_rows.ts";
import type { Verdict } from "./limiter.ts";
import type { BucketPolicy } from "./policy.ts";
import { EXPIRY_MARGIN_MS, storedLevel } from "./stored_level.ts";

/** After a lost race, so many commits in a row read the bucket first. */
const SHARED_READS = 8;

/** One request that waits for its verdict. */
export interface Waiter {
  resolve(verdict: Verdict): void;
  reject(error: Error): void;
}

/** One for all buckets: an empty list each would live as long as its bucket. */
const NOBODY: Waiter[] = [];
Object.freeze(NOBODY);

/**
 * What one isolate remembers of a bucket, and who waits for it here. Memory
 * only saves reads: the versionstamp makes the store refuse a commit that
 * rests on anything but the latest row, and a remembered level that is older
 * than the row can only be too generous, so "empty" is never wrong. All of it
 * may be forgotten at any time.
 */
export class Bucket implements BucketLevel {
  readonly key: string;
  readonly policy: BucketPolicy;
  milliTokens = 0;
  atMs = 0;
  versionstamp: string | null = null;
  /** Whether level and versionstamp may be used. */
  known = false;
  /** Whether nothing was ever known of it here. */
  isNew = true;
  /** Set by every request, cleared as the evicting hand passes. */
  recent = true;
  /** Whether the pump holds this bucket, so that it must not be evicted. */
  queued = false;
  waiters: Waiter[] = NOBODY;
  /** When the first of the waiters came. */
  waitingSinceMs = 0;
  /** From then on the row may have expired and memory is not the store. */
  #staleAtMs = 0;
  #readsAhead = 0;

  constructor(key: string, policy: BucketPolicy) {
    this.key = key;
    this.policy = policy;
  }

  /** Lets one more wait. */
  wait(waiter: Waiter): void {
    if (this.waiters.length === 0) this.waiters = [waiter];
    else this.waiters.push(waiter);
  }

  /** Takes all that wait off the bucket. */
  takeWaiters(): Waiter[] {
    const { waiters } = this;
    this.waiters = NOBODY;
    return waiters;
  }

  /** Thousandths of a token in it, as far as this isolate knows. */
  milliTokensAt(nowMs: number): number {
    return milliTokensAt(this, this.policy, nowMs);
  }

  /**
   * Whether memory may stand for the row. A level from further ahead than
   * clocks may differ is a clock that was wrong; it must not close the bucket.
   */
  isUsable(nowMs: number): boolean {
    return this.known && this.#readsAhead === 0 && this.#isPlausible(nowMs) &&
      nowMs < this.#staleAtMs;
  }

  /** Whether it is known to hold no token, here and in every isolate. */
  isEmpty(nowMs: number): boolean {
    return this.known && this.milliTokensAt(nowMs) < TOKEN &&
      this.#isPlausible(nowMs);
  }

  /** What an empty bucket answers. */
  denial(nowMs: number): Verdict {
    const retryAfterS = secondsToToken(this, this.policy, nowMs);
    return { admitted: false, retryAfterS };
  }

  /** Adopts what the store answered to a read. */
  adopt(row: BucketRow, nowMs: number): void {
    if (row.versionstamp === this.versionstamp) {
      if (this.#readsAhead > 0) this.#readsAhead--;
    } else if (this.versionstamp !== null && row.versionstamp !== null) {
      this.#readsAhead = SHARED_READS;
    }
    const { milliTokens, atMs } = storedLevel(row, this.policy, nowMs);
    this.remember(milliTokens, atMs, row.versionstamp);
  }

  /** Adopts what the store now holds. */
  remember(
    milliTokens: number,
    atMs: number,
    versionstamp: string | null,
  ): void {
    this.milliTokens = milliTokens;
    this.atMs = atMs;
    this.versionstamp = versionstamp;
    this.known = true;
    this.isNew = false;
    this.#staleAtMs = fullAtMs(this, this.policy) + EXPIRY_MARGIN_MS;
  }

  /** Drops level and versionstamp, for they may not be what is stored. */
  forget(): void {
    this.known = false;
    this.versionstamp = null;
  }

  #isPlausible(nowMs: number): boolean {
    return this.atMs - nowMs <= EXPIRY_MARGIN_MS;
  }
}
