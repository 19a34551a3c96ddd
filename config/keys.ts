import { Buffer } from "node:buffer";
import { hkdfSync, randomBytes } from "node:crypto";

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

/** The bearer keys of the operator API where none is set: of every secret. */
export function deriveOperatorKeys(secrets: Secrets): [string, ...string[]] {
  const textOf = (key: Uint8Array) => Buffer.from(key).toString("base64url");
  const [first, ...others] = deriveKeys(secrets, "operator-key");
  return [textOf(first), ...others.map(textOf)];
}

/** A new secret of 256 bits, base64url. */
export function newSecret(): string {
  return randomBytes(KEY_BYTES).toString("base64url");
}

function derive(secret: string, label: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hkdfSync("sha256", secret, SALT, label, KEY_BYTES));
}
