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
  /** Tokens that come back every second. */
  readonly refillPerS: number;
}

/** A policy for every kind of bucket. */
export type BucketPolicies = Readonly<Record<BucketKind, BucketPolicy>>;

/** Sign-in, `/oauth/*` and `/go`: a human's pace with room for an office. */
export const ADDRESS_BUCKET_CAPACITY = 60;
/** Sign-in, `/oauth/*` and `/go`: a human's pace with room for an office. */
export const ADDRESS_BUCKET_REFILL_PER_S = 1;

const ADDRESS: BucketPolicy = {
  capacity: ADDRESS_BUCKET_CAPACITY,
  refillPerS: ADDRESS_BUCKET_REFILL_PER_S,
};

/** Registrations of clients: 10 an hour from one address. */
const REGISTRATION: BucketPolicy = { capacity: 10, refillPerS: 10 / 3_600 };
/** Reports of advertisements: 10 an hour from one address. */
const REPORT: BucketPolicy = { capacity: 10, refillPerS: 10 / 3_600 };
/** Fetches of client documents: 10 a minute at the wish of one address. */
const CLIENT_FETCH: BucketPolicy = { capacity: 10, refillPerS: 10 / 60 };
/** Fetches of client documents: 10 a second in all. */
const CLIENT_FETCHES: BucketPolicy = { capacity: 10, refillPerS: 10 };

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
  address: ADDRESS,
  // Of its own, so that clicks never cost an office its sign-in.
  click: ADDRESS,
  report: REPORT,
  registration: REGISTRATION,
  client_fetch: CLIENT_FETCH,
  client_fetches: CLIENT_FETCHES,
};
