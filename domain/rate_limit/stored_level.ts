import { type BucketLevel, fullAtMs, TOKEN } from "./bucket_level.ts";
import type { BucketRow, BucketWrite } from "./bucket_rows.ts";
import type { BucketPolicy } from "./policy.ts";

/**
 * How long a row outlives the moment it is full. A row that goes late is
 * harmless, since time has filled it; one that went early would give tokens
 * away, so this is also how far the clocks of two isolates may differ.
 */
export const EXPIRY_MARGIN_MS = 60_000;

/**
 * What a row says of its bucket, full where there is none. A level from
 * further ahead than clocks may differ is a clock that was wrong; it must not
 * close the bucket.
 */
export function storedLevel(
  { level }: BucketRow,
  policy: BucketPolicy,
  nowMs: number,
): BucketLevel {
  if (level === null) {
    return { milliTokens: policy.capacity * TOKEN, atMs: nowMs };
  }
  const ahead = level.atMs - nowMs > EXPIRY_MARGIN_MS;
  return ahead ? { milliTokens: level.milliTokens, atMs: nowMs } : level;
}

/** A bucket as it was found in the store. */
export interface FoundBucket extends BucketLevel {
  key: string;
  versionstamp: string | null;
  policy: BucketPolicy;
}

/** The write that leaves so much in a bucket, if it is still as found. */
export function bucketWrite(
  { key, versionstamp, policy, atMs: foundAtMs }: FoundBucket,
  milliTokens: number,
  nowMs: number,
): BucketWrite {
  const atMs = Math.max(nowMs, foundAtMs);
  const lifeMs = fullAtMs({ milliTokens, atMs }, policy) - nowMs;
  const expireInMs = lifeMs + EXPIRY_MARGIN_MS;
  return { key, versionstamp, milliTokens, atMs, expireInMs };
}
