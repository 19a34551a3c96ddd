import { Bucket } from "./bucket.ts";
import type { BucketLevel } from "./bucket_level.ts";
import type { Charge } from "./charge.ts";
import type { JointVerdict } from "./limiter.ts";

/**
 * The buckets that the store said are empty, at most `maxBuckets`. Only time
 * adds tokens, so until the next one is due no isolate could admit a request
 * that draws on one of them, and none has to ask the store again. All of it may
 * be forgotten at any time.
 */
export class EmptyBuckets {
  readonly #maxBuckets: number;
  /** By their stored names, those that were of use last at the end. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(maxBuckets: number) {
    this.#maxBuckets = maxBuckets;
  }

  /** Notes what the store holds, if that is less than a token. */
  note(key: string, charge: Charge, level: BucketLevel, nowMs: number): void {
    const bucket = new Bucket(key, charge.policy);
    bucket.remember(level.milliTokens, level.atMs, null);
    this.#buckets.delete(key);
    if (!bucket.isEmpty(nowMs)) return;
    this.#buckets.set(key, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > this.#maxBuckets && oldest !== undefined) {
      this.#buckets.delete(oldest);
    }
  }

  /** What those that are known to be empty answer; null if none is. */
  denial(
    charges: ReadonlyMap<string, Charge>,
    nowMs: number,
  ): JointVerdict | null {
    let emptied: string | null = null;
    let retryAfterS = 0;
    for (const [key, { id }] of charges) {
      const bucket = this.#known(key, nowMs);
      const verdict = bucket?.denial(nowMs);
      if (verdict === undefined || verdict.admitted) continue;
      emptied ??= id;
      retryAfterS = Math.max(retryAfterS, verdict.retryAfterS);
    }
    return emptied === null ? null : { admitted: false, retryAfterS, emptied };
  }

  /** Forgets what time has filled. */
  #known(key: string, nowMs: number): Bucket | null {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return null;
    this.#buckets.delete(key);
    if (!bucket.isEmpty(nowMs)) return null;
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
