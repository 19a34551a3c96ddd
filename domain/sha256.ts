/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104) of short texts, for whatever is
 * named or proved by one. Made in JavaScript: each hash the platform makes is an
 * object outside of V8's heap that stays until all of memory is collected, and
 * then takes longer to free than it took to make. Decision 0080 says why.
 *
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { createHash } from "node:crypto";

/** How a digest is written. */
export type DigestEncoding = "hex" | "base64url";

/** The authentication code of a text. */
export type Hmac = (text: string, encoding: DigestEncoding) => string;

type State = ReturnType<typeof sha256.create>;

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Of longer texts, which are few, the platform makes the digest sooner. */
const SHORT_LENGTH = 1_024;
/** What a UTF-16 unit takes at most in UTF-8. */
const BYTES_A_UNIT = 3;

const empty = sha256.create();
/** Where digests are made, one after the other. */
const work = sha256.create();
const input = new Uint8Array(SHORT_LENGTH * BYTES_A_UNIT);
const output = new Uint8Array(DIGEST_BYTES);
const utf8 = new TextEncoder();

/** The SHA-256 of a text's UTF-8. */
export function sha256Text(text: string, encoding: DigestEncoding): string {
  if (text.length > SHORT_LENGTH) {
    return createHash("sha256").update(text).digest(encoding);
  }
  digestAfter(empty, bytesOf(text));
  return written(encoding);
}

/** The SHA-256 of a text, hex: the only form in which secrets are stored. */
export function sha256Hex(text: string): string {
  return sha256Text(text, "hex");
}

/**
 * HMAC-SHA-256 of texts under one key of up to 64 bytes. The key's own blocks
 * are hashed once and each text goes on from there.
 *
 * @throws {RangeError} for a longer key
 */
export function hmacSha256(key: Uint8Array): Hmac {
  if (key.length > BLOCK_BYTES) throw new RangeError("The key is too long");
  const [inner, outer] = [keyed(key, 0x36), keyed(key, 0x5c)];
  return (text, encoding) => {
    digestAfter(inner, bytesOf(text));
    digestAfter(outer, output);
    return written(encoding);
  };
}

function keyed(key: Uint8Array, pad: number): State {
  const block = Uint8Array.from(
    { length: BLOCK_BYTES },
    (_, at) => (key[at] ?? 0) ^ pad,
  );
  return sha256.create().update(block);
}

/** Leaves the digest of what went into the state and of the bytes in `output`. */
function digestAfter(state: State, bytes: Uint8Array): void {
  state._cloneInto(work);
  work.update(bytes);
  work.digestInto(output);
}

function written(encoding: DigestEncoding): string {
  return encoding === "hex"
    ? output.toHex()
    : output.toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Good until the next text. */
function bytesOf(text: string): Uint8Array {
  if (text.length > SHORT_LENGTH) return utf8.encode(text);
  return input.subarray(0, utf8.encodeInto(text, input).written);
}
