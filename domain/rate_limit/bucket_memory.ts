import { Bucket } from "./bucket.ts";
import type { BucketPolicy } from "./policy.ts";

/**
 * The buckets of one kind that an isolate remembers, at most `maxBuckets`.
 *
 * A hand goes round them. Where it passes, a bucket that is full by now goes,
 * since it holds nothing worth knowing; another goes if nobody asked for it
 * since the hand's last round; one the pump works on stays. Forgetting is
 * always safe: the next request reads the row again. Exactness therefore never
 * depends on what is remembered, only the number of reads does.
 */
export class BucketMemory {
  readonly #buckets = new Map<string, Bucket>();
  readonly #maxBuckets: number;
  readonly #keyOf: (id: string) => string;
  #hand = this.#buckets.values();

  constructor(maxBuckets: number, keyOf: (id: string) => string) {
    this.#maxBuckets = maxBuckets;
    this.#keyOf = keyOf;
  }

  /** How many buckets are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  /** The bucket of an id, if it is remembered. */
  find(id: string): Bucket | null {
    const remembered = this.#buckets.get(id);
    if (remembered === undefined) return null;
    remembered.recent = true;
    return remembered;
  }

  /** The bucket of an id, from memory or as one nothing is known of. */
  of(id: string, policy: BucketPolicy, nowMs: number): Bucket {
    const remembered = this.find(id);
    if (remembered !== null) return remembered;
    if (this.#buckets.size >= this.#maxBuckets) this.#evictOne(nowMs);
    const bucket = new Bucket(id, this.#keyOf(id), policy);
    this.#buckets.set(id, bucket);
    return bucket;
  }

  /** At most two rounds: the first clears every `recent` the second meets. */
  #evictOne(nowMs: number): void {
    for (let step = 2 * this.#buckets.size; step > 0; step--) {
      const bucket = this.#advance();
      if (bucket.queued) continue;
      if (bucket.isFull(nowMs) || !bucket.recent) {
        this.#buckets.delete(bucket.id);
        return;
      }
      bucket.recent = false;
    }
  }

  #advance(): Bucket {
    let next = this.#hand.next();
    if (next.done) {
      this.#hand = this.#buckets.values();
      next = this.#hand.next();
    }
    return next.value as Bucket;
  }
}
