import { TOKEN, wholeTokens } from "./bucket_level.ts";
import type { Bucket } from "./bucket.ts";
import { BucketMemory } from "./bucket_memory.ts";
import type { Charge } from "./charge.ts";
import type { Verdict } from "./limiter.ts";

/**
 * Buckets of this process alone: for while the store does not answer, and for
 * what only takes this process's own time. They begin full, and nobody else
 * counts on them.
 */
export class LocalBuckets {
  readonly #memory: BucketMemory;

  constructor(maxBuckets: number) {
    this.#memory = new BucketMemory(maxBuckets, (id) => id);
  }

  /** Takes a token of each bucket, or of none. */
  takeAll(charges: readonly Charge[], nowMs: number): Verdict {
    const buckets = charges.map(({ id, policy }) =>
      this.#memory.of(id, policy, nowMs)
    );
    const empty = buckets.find((bucket) => bucket.isEmpty(nowMs));
    if (empty !== undefined) return empty.denial(nowMs);
    const left = buckets.map((bucket) => takeOne(bucket, nowMs));
    return { admitted: true, remaining: Math.min(...left) };
  }
}

/** Whole tokens left in it. */
function takeOne(bucket: Bucket, nowMs: number): number {
  const found = bucket.known
    ? bucket.milliTokensAt(nowMs)
    : bucket.policy.capacity * TOKEN;
  const milliTokens = found - TOKEN;
  bucket.remember({ milliTokens, atMs: Math.max(nowMs, bucket.atMs) }, null);
  return wholeTokens(milliTokens);
}
