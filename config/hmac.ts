import { createHash, type Hash } from "node:crypto";

/** Bytes of a block of SHA-256. */
const BLOCK_BYTES = 64;

/** The authentication code of a text. */
export type Hmac = (text: string, encoding: "hex" | "base64url") => string;

/**
 * HMAC-SHA-256 (RFC 2104) of texts under one key of up to 64 bytes. The key's
 * own blocks are hashed once and each text goes on from there, which takes a
 * quarter of the time of `createHmac`, as that begins anew with every text.
 *
 * @throws {RangeError} for a longer key
 */
export function hmacSha256(key: Uint8Array): Hmac {
  if (key.length > BLOCK_BYTES) throw new RangeError("The key is too long");
  const [inner, outer] = [keyed(key, 0x36), keyed(key, 0x5c)];
  return (text, encoding) =>
    outer.copy().update(inner.copy().update(text).digest()).digest(encoding);
}

function keyed(key: Uint8Array, pad: number): Hash {
  const block = Uint8Array.from(
    { length: BLOCK_BYTES },
    (_, at) => (key[at] ?? 0) ^ pad,
  );
  return createHash("sha256").update(block);
}
