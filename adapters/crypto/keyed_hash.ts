import { hmacSha256 } from "../../domain/sha256.ts";

/**
 * A function that names a value without telling it: 16 hex characters of an
 * HMAC-SHA-256, the same for the same value. It remembers a bounded number of
 * answers, since the same few values come again and again.
 */
export function keyedHash(key: Uint8Array): (value: string) => string {
  const hmac = hmacSha256(key);
  const known = new Map<string, string>();
  return function hash(value) {
    const before = known.get(value);
    if (before !== undefined) return before;
    const digest = hmac(value, "hex");
    if (known.size >= 10_000) known.clear();
    known.set(value, digest.slice(0, 16));
    return digest.slice(0, 16);
  };
}
