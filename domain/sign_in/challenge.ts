import { createHash } from "node:crypto";

/** Codes that may be tried for one mail. */
export const CODE_TRIES = 5;
/** Digits of a code. */
export const CODE_DIGITS = 8;

/** A code that was mailed, waiting to be given by the browser that asked. */
export interface SignInChallenge {
  /** SHA-256 of the secret in that browser's cookie, hex. */
  hash: string;
  email: string;
  /** HMAC of the code and the challenge, and the key it is under. */
  codeMac: string;
  keyId: string;
  /** The path to go on to, already found to be our own. */
  next: string;
  triesLeft: number;
  /** Mails this browser may still ask for; left out by earlier versions. */
  repeatsLeft?: number;
  /** Of the link that led to the sign-up; absent for none. */
  referralCode?: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/**
 * A code from 256 random bits. Taking 64 of them modulo a hundred million
 * favours no code by more than one part in 10^11.
 */
export function codeFrom(secret: string): string {
  const digest = createHash("sha256").update(secret).digest();
  const number = new DataView(digest.buffer, digest.byteOffset).getBigUint64(0);
  const code = number % 10n ** BigInt(CODE_DIGITS);
  return code.toString().padStart(CODE_DIGITS, "0");
}

/** A code as a person may type it: spaces and hyphens do not count. */
export function parseCode(text: string): string | null {
  const digits = text.replace(/[\s-]/g, "");
  return /^\d{8}$/.test(digits) ? digits : null;
}
