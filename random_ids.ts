import { Buffer } from "node:buffer";
import type { Ids } from "./domain/ports.ts";

/** Characters of an id: 32 of them, so that every byte maps without bias. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
/** Characters after the prefix: 100 bits. */
const ID_LENGTH = 20;

/** Asking for a few bytes costs as much as asking for all of these. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

/** Never gives a byte twice, and keeps none that it gave. */
function randomBytes(length: number): Buffer {
  if (used + length > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const bytes = Buffer.from(pool.subarray(used, used + length));
  pool.fill(0, used, used += length);
  return bytes;
}

/** Ids and secrets from the platform's cryptographic randomness. */
export const randomIds: Ids = {
  next(prefix) {
    const bytes = randomBytes(ID_LENGTH);
    let text = `${prefix}_`;
    for (const byte of bytes) text += ALPHABET[byte % ALPHABET.length];
    return text;
  },
  secret() {
    return randomBytes(32).toString("base64url");
  },
};
