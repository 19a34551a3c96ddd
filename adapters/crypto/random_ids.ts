import { Buffer } from "node:buffer";
import type { Ids } from "../../domain/ports.ts";

/** Characters of an id: 32 of them, so that every byte maps without bias. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
/** Characters after the prefix: 100 bits. */
const ID_LENGTH = 20;

/** Bytes of a secret. */
const SECRET_BYTES = 32;

/** Asking for a few bytes costs as much as asking for all of these. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

/** Writes fresh bytes as a text; never gives one twice, and keeps none. */
function randomText(
  length: number,
  write: (from: number, to: number) => string,
): string {
  if (used + length > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const text = write(used, used + length);
  pool.fill(0, used, used += length);
  return text;
}

function toLetters(from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) {
    text += ALPHABET[(pool[at] ?? 0) % ALPHABET.length];
  }
  return text;
}

function toBase64url(from: number, to: number): string {
  return pool.toString("base64url", from, to);
}

/** Ids and secrets from the platform's cryptographic randomness. */
export const randomIds: Ids = {
  next(prefix) {
    return `${prefix}_${randomText(ID_LENGTH, toLetters)}`;
  },
  secret() {
    return randomText(SECRET_BYTES, toBase64url);
  },
};
