import type { Clock } from "../ports.ts";
import type { Bucket } from "./bucket.ts";
import { BucketMemory } from "./bucket_memory.ts";
import { BucketPump } from "./bucket_pump.ts";
import type { BucketRows } from "./bucket_rows.ts";
import { JointPump } from "./joint_pump.ts";
import type { JointVerdict, RateLimiter, Verdict } from "./limiter.ts";
import type { BucketKind } from "./policy.ts";
import {
  BUCKET_POLICIES,
  type BucketPolicies,
  type BucketPolicy,
} from "./policy.ts";
import { uncounted } from "./uncounted.ts";

/** Buckets of each kind an isolate remembers: about 15 MB when all are used. */
const MAX_BUCKETS = 50_000;
/** Requests that may wait for the store at once; more are answered 503. */
const MAX_WAITERS = 20_000;
/** The same of requests that draw on several buckets at once. */
const MAX_JOINT_WAITERS = 16_000;
/** Of them for one asker: more than a /48 may have in the largest burst, 480. */
export const MAX_JOINT_WAITERS_OF_ONE = 512;
/** Longest a request waits before its commit begins; then it is answered 503. */
const MAX_WAIT_MS = 5_000;

/** What a limiter is made of. */
export interface RateLimiterOptions {
  rows: BucketRows;
  clock: Clock;
  /**
   * A keyed one-way function, so that no row names an address. A new secret
   * means new rows: every bucket starts full again.
   */
  hashId: (text: string) => string;
  policies?: BucketPolicies;
  /** Per kind. */
  maxBuckets?: number;
  maxWaiters?: number;
  /** Of requests that draw on several buckets, those of one asker. */
  maxWaitersOfOne?: number;
  maxWaitMs?: number;
}

/**
 * Makes the limiter of one isolate. A bucket known to be empty answers at once
 * from memory, which is exact: only time adds tokens, so until its next one is
 * due no isolate could admit the request. All else joins a group commit: one of
 * requests that draw on a single bucket, one of those that draw on several, whose
askers take turns.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { clock, policies = BUCKET_POLICIES } = options;
  const { rows, hashId, maxWaitMs = MAX_WAIT_MS } = options;
  const common = { rows, clock, maxWaitMs };
  const pump = new BucketPump({
    ...common,
    maxWaiters: options.maxWaiters ?? MAX_WAITERS,
  });
  const joint = new JointPump({
    ...common,
    keyOf: hashId,
    maxWaiters: options.maxWaiters ?? MAX_JOINT_WAITERS,
    maxWaitersOfOne: options.maxWaitersOfOne ?? MAX_JOINT_WAITERS_OF_ONE,
    maxBuckets: options.maxBuckets ?? MAX_BUCKETS,
  });
  const memoryOf = (kind: BucketKind, policy: BucketPolicy) =>
    new BucketMemory(
      policy,
      options.maxBuckets ?? MAX_BUCKETS,
      (id) => hashId(`${kind}:${id}`),
    );
  const memory: Record<BucketKind, BucketMemory> = {
    public: memoryOf("public", policies.public),
    grant: memoryOf("grant", policies.grant),
    address: memoryOf("address", policies.address),
    click: memoryOf("click", policies.click),
    change: memoryOf("change", policies.change),
    checkout: memoryOf("checkout", policies.checkout),
    new_browser_mails: memoryOf(
      "new_browser_mails",
      policies.new_browser_mails,
    ),
  };
  let closed = false;

  return {
    take(kind: BucketKind, id: string): Promise<Verdict> | Verdict {
      const nowMs = clock.now();
      const bucket: Bucket = memory[kind].of(id, nowMs);
      if (bucket.isEmpty(nowMs)) return bucket.denial(nowMs);
      if (closed) return Promise.reject(stopped());
      return pump.join(bucket, nowMs);
    },
    takeAll(charges, asker): Promise<JointVerdict> {
      if (closed) return Promise.reject(stopped());
      return joint.join(charges, asker);
    },
    async close(): Promise<void> {
      closed = true;
      await Promise.all([pump.idle(), joint.idle()]);
    },
  };
}

function stopped(): Error {
  return uncounted("the service is stopping");
}
