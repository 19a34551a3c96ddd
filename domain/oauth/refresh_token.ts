import { sha256Hex } from "../sha256.ts";
import { REFRESH_TOKEN_MS } from "../limits.ts";
import type { Grant } from "./grant.ts";

/** Begins every refresh token. */
const REFRESH_TOKEN_PREFIX = "svc_rt_";

/** Characters of a line's name: 130 bits. */
const LINE_LENGTH = 22;
/** Digits of a number, and their base: two thousand million refreshes. */
const NUMBER_LENGTH = 6;
const NUMBER_BASE = 36;

/**
 * `svc_rt_<grant id>_<line><number><secret>`. All but the grant's id have a
 * fixed length, so the split is one-to-one although any part may contain `_`.
 */
const SHAPE =
  /^svc_rt_([A-Za-z0-9_-]{1,64})_([A-Za-z0-9_-]{22})([0-9a-z]{6})[A-Za-z0-9_-]{43}$/;

/** What the text of a refresh token tells whoever holds it. */
export interface RefreshTokenParts {
  grantId: string;
  /**
   * The same in all tokens of a line and in nothing else, so who knows it
   * holds or held one of them.
   */
  line: string;
  /** From 1, one more with each refresh. */
  number: number;
}

/** Makes the name of a line of a secret that is used for nothing else. */
export function lineOf(secret: string): string {
  return secret.slice(-LINE_LENGTH);
}

/** Reads the text of a refresh token; `null` for another text. */
export function readRefreshToken(text: string): RefreshTokenParts | null {
  const [, grantId, line, digits] = SHAPE.exec(text) ?? [];
  if (grantId === undefined || line === undefined || digits === undefined) {
    return null;
  }
  return { grantId, line, number: parseInt(digits, NUMBER_BASE) };
}

/** The text of a refresh token. */
export function refreshTokenText(
  { grantId, line, number }: RefreshTokenParts,
  secret: string,
): string {
  const digits = number.toString(NUMBER_BASE).padStart(NUMBER_LENGTH, "0");
  return `${REFRESH_TOKEN_PREFIX}${grantId}_${line}${digits}${secret}`;
}

/**
 * Makes a refresh token of 30 days, never beyond the mandate's end. `secret` is
 * random for the first of a line and derived for its successors.
 */
export function newRefreshToken(
  grant: Pick<Grant, "id" | "mandate">,
  { line, number, secret }: { line: string; number: number; secret: string },
  nowMs: number,
): { text: string; hash: string; number: number; endsAtMs: number } {
  const text = refreshTokenText({ grantId: grant.id, line, number }, secret);
  const latestMs = grant.mandate?.validUntilMs ?? Infinity;
  return {
    text,
    hash: sha256Hex(text),
    number,
    endsAtMs: Math.min(nowMs + REFRESH_TOKEN_MS, latestMs),
  };
}
