/**
 * `["rate_buckets", hash]`: one token bucket. Part of `keys.ts`, kept apart
 * because rows of this family are never listed.
 */
export function rateBucketKey(hash: string): Deno.KvKey {
  return ["rate_buckets", hash];
}
