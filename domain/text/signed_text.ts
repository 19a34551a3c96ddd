/**
 * Parts of an address that nobody can make up: signed, so that whoever has the
 * address needs no sign-in.
 *
 * @module
 */
import type { KeyPurpose, Keys } from "../ports.ts";
import { sha256Hex } from "../sha256.ts";

/** Parts of 64 characters at most, as a SHA-256 in hex has. */
const SHAPE = /^[A-Za-z0-9_-]{1,64}(?:~[A-Za-z0-9_-]{1,64}){2,9}$/;

/** The parts as one text, with the key's id and the signature behind them. */
export function signedText(
  keys: Keys,
  purpose: KeyPurpose,
  parts: readonly string[],
): string {
  const keyId = keys.currentId;
  return [...parts, keyId, macOf(keys, purpose, parts, keyId)].join("~");
}

/**
 * So many parts of a signed text, whose meaning is the caller's to check; null
 * for a text that was cut off, or that we did not sign.
 */
export function readSignedText(
  keys: Keys,
  purpose: KeyPurpose,
  { text, count }: { text: string; count: number },
): string[] | null {
  const all = SHAPE.test(text) ? text.split("~") : [];
  if (all.length !== count + 2) return null;
  const parts = all.slice(0, count);
  const [keyId = "", mac = ""] = all.slice(count);
  const expected = macOf(keys, purpose, parts, keyId);
  // Hashes: how long they are compared tells nothing of what was expected.
  const isOurs = expected !== null && sha256Hex(expected) === sha256Hex(mac);
  return isOurs ? parts : null;
}

function macOf(
  keys: Keys,
  purpose: KeyPurpose,
  parts: readonly string[],
  keyId: string,
): string | null {
  return keys.mac(purpose, parts.join("|"), keyId);
}
