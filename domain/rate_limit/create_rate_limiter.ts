import { StoreUnavailable } from "../failure.ts";
import type { Clock } from "../ports.ts";
import type { Bucket } from "./bucket.ts";
import { BucketMemory } from "./bucket_memory.ts";
import { BucketPump } from "./bucket_pump.ts";
import type { BucketRows } from "./bucket_rows.ts";
import type { BucketKind, RateLimiter, Verdict } from "./limiter.ts";
import {
  BUCKET_POLICIES,
  type BucketPolicies,
  type BucketPolicy,
} from "./policy.ts";

/** Buckets of each kind an isolate remembers: about 15 MB when all are used. */
export const MAX_BUCKETS = 50_000;
/** Requests that may wait for the store at once; more are answered 503. */
export const MAX_WAITERS = 20_000;
/** Longest a request waits before its commit begins; then it is answered 503. */
export const MAX_WAIT_MS = 5_000;

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
  maxWaitMs?: number;
}

/**
 * Makes the limiter of one isolate. A bucket known to be empty answers at once
 * from memory, which is exact: only time adds tokens, so until its next one is
 * due no isolate could admit the request. All else joins the group commit.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { clock, policies = BUCKET_POLICIES } = options;
  const pump = new BucketPump({
    rows: options.rows,
    clock,
    maxWaiters: options.maxWaiters ?? MAX_WAITERS,
    maxWaitMs: options.maxWaitMs ?? MAX_WAIT_MS,
  });
  const memoryOf = (kind: BucketKind, policy: BucketPolicy) =>
    new BucketMemory(
      policy,
      options.maxBuckets ?? MAX_BUCKETS,
      (id) => options.hashId(`${kind}:${id}`),
    );
  const memory: Record<BucketKind, BucketMemory> = {
    public: memoryOf("public", policies.public),
    grant: memoryOf("grant", policies.grant),
    address: memoryOf("address", policies.address),
    click: memoryOf("click", policies.click),
    registration: memoryOf("registration", policies.registration),
    client_fetch: memoryOf("client_fetch", policies.client_fetch),
    report: memoryOf("report", policies.report),
    client_fetches: memoryOf("client_fetches", policies.client_fetches),
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
    close(): Promise<void> {
      closed = true;
      return pump.idle();
    },
  };
}

function stopped(): StoreUnavailable {
  return new StoreUnavailable(
    "Cannot count the request against its rate limit: the service is stopping",
  );
}
