import type { Day } from "../day.ts";
import { sha256Text } from "../sha256.ts";

/** Within this time a visitor counts once (contract §2.7). */
export const REPEAT_WITHIN_MS = 30 * 60_000;

/** A visitor of one Spotlight whose click has been counted. */
export interface Visitor {
  /** What {@linkcode visitorHash} makes of it; tells nothing of anyone. */
  hash: string;
  /** Clicks before this moment are repeats, epoch ms. */
  untilMs: number;
  /** A little later, since clicks are booked after they were made. */
  expiresAtMs: number;
}

/** Whether a click is a repeat of one that was counted. */
export function isRepeat(
  visitor: Pick<Visitor, "untilMs"> | null,
  atMs: number,
): boolean {
  return visitor !== null && atMs < visitor.untilMs;
}

/** Characters of a visitor's name: 128 bits, so that no two share one. */
const HASH_LENGTH = 22;

/**
 * Names the visitor of a Spotlight for a day. The salt, 256 bits that only the
 * service knows until it destroys them, goes in first: without it nobody can
 * try addresses. The Spotlight goes in too, so that visitors of different ones
 * are not recognised. Decision 0120 says why.
 */
export function visitorHash(
  salt: string,
  day: Day,
  address: string,
  userAgent: string,
): string {
  return sha256Text(`${salt}\n${day}\n${address}\n${userAgent}`, "base64url")
    .slice(0, HASH_LENGTH);
}
