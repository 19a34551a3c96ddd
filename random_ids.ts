import { Buffer } from "node:buffer";
import type { Ids } from "./domain/ports.ts";

/** Characters of an id: 32 of them, so that every byte maps without bias. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
/** Characters after the prefix: 100 bits. */
const ID_LENGTH = 20;

/** Ids and secrets from the platform's cryptographic randomness. */
export const randomIds: Ids = {
  next(prefix) {
    const bytes = crypto.getRandomValues(new Uint8Array(ID_LENGTH));
    let text = `${prefix}_`;
    for (const byte of bytes) text += ALPHABET[byte % ALPHABET.length];
    return text;
  },
  secret() {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    return Buffer.from(bytes).toString("base64url");
  },
};
