import {
  GRANT_BUCKET_CAPACITY,
  GRANT_BUCKET_REFILL_PER_S,
  PUBLIC_BUCKET_CAPACITY,
  PUBLIC_BUCKET_REFILL_PER_S,
} from "../limits.ts";
import type { BucketKind } from "./limiter.ts";

/** How much a bucket holds and how fast it fills. */
export interface BucketPolicy {
  /** Whole tokens a full bucket holds. */
  readonly capacity: number;
  /** Whole tokens that come back every second. */
  readonly refillPerS: number;
}

/** A policy for every kind of bucket. */
export type BucketPolicies = Readonly<Record<BucketKind, BucketPolicy>>;

/** Sign-in, `/oauth/*` and `/go`: a human's pace with room for an office. */
export const ADDRESS_BUCKET_CAPACITY = 60;
/** Sign-in, `/oauth/*` and `/go`: a human's pace with room for an office. */
export const ADDRESS_BUCKET_REFILL_PER_S = 1;

/** The policies of the public contract. */
export const BUCKET_POLICIES: BucketPolicies = {
  public: {
    capacity: PUBLIC_BUCKET_CAPACITY,
    refillPerS: PUBLIC_BUCKET_REFILL_PER_S,
  },
  grant: {
    capacity: GRANT_BUCKET_CAPACITY,
    refillPerS: GRANT_BUCKET_REFILL_PER_S,
  },
  address: {
    capacity: ADDRESS_BUCKET_CAPACITY,
    refillPerS: ADDRESS_BUCKET_REFILL_PER_S,
  },
};
