import { remembered } from "../../domain/remembered.ts";
import { hmacSha256 } from "../../domain/sha256.ts";

/** Names that are remembered. */
const REMEMBERED_MAX = 10_000;

/**
 * A function that names a value without telling it: 16 hex characters of an
 * HMAC-SHA-256, the same for the same value.
 */
export function keyedHash(key: Uint8Array): (value: string) => string {
  const hmac = hmacSha256(key);
  return remembered(REMEMBERED_MAX, (value) => hmac(value, "hex").slice(0, 16));
}
