import { TOKEN, wholeTokens } from "./bucket_level.ts";
import { BucketMemory } from "./bucket_memory.ts";
import type { Verdict } from "./limiter.ts";
import type { BucketPolicy } from "./policy.ts";

/**
 * Buckets of this process alone, for while the store does not answer. They
 * begin full, and nobody else counts on them.
 */
export class LocalBuckets {
  readonly #policy: BucketPolicy;
  readonly #memory: BucketMemory;

  constructor(policy: BucketPolicy, maxBuckets: number) {
    this.#policy = policy;
    this.#memory = new BucketMemory(maxBuckets, (id) => id);
  }

  /** Takes a token. */
  take(id: string, nowMs: number): Verdict {
    const bucket = this.#memory.of(id, this.#policy, nowMs);
    if (bucket.isEmpty(nowMs)) return bucket.denial(nowMs);
    const found = bucket.known
      ? bucket.milliTokensAt(nowMs)
      : this.#policy.capacity * TOKEN;
    const milliTokens = found - TOKEN;
    bucket.remember({ milliTokens, atMs: Math.max(nowMs, bucket.atMs) }, null);
    return { admitted: true, remaining: wholeTokens(milliTokens) };
  }
}
