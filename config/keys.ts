import { Buffer } from "node:buffer";
import { hkdfSync, randomBytes } from "node:crypto";
import { hmacSha256 } from "../domain/sha256.ts";

/** The service's secrets: the first signs, all verify. */
export type Secrets = readonly [string, ...string[]];

const SALT = "spotlight";
const KEY_BYTES = 32;

/**
 * A key of 32 bytes for one purpose, derived (HKDF-SHA-256) from the first
 * secret. Keys of different labels tell nothing of each other.
 */
export function deriveKey(
  secrets: Secrets,
  label: string,
): Uint8Array<ArrayBuffer> {
  return derive(secrets[0], label);
}

/**
 * The key of every secret for one purpose, the signing one first, so that what
 * was signed before a rotation still verifies.
 */
export function deriveKeys(
  secrets: Secrets,
  label: string,
): [Uint8Array<ArrayBuffer>, ...Uint8Array<ArrayBuffer>[]] {
  const [first, ...others] = secrets;
  return [
    derive(first, label),
    ...others.map((secret) => derive(secret, label)),
  ];
}

/** The bearer key of the operator API where none is set. */
export function deriveOperatorKey(secrets: Secrets): string {
  return Buffer.from(deriveKey(secrets, "operator-key")).toString("base64url");
}

/** A new secret of 256 bits, base64url. */
export function newSecret(): string {
  return randomBytes(KEY_BYTES).toString("base64url");
}

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

function derive(secret: string, label: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hkdfSync("sha256", secret, SALT, label, KEY_BYTES));
}
