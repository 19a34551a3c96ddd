import type { Keys } from "../ports.ts";
import type { Grant, RefreshLine, RefreshToken } from "./grant.ts";
import { newRefreshToken } from "./tokens.ts";

/** How long the token before the current one may still be presented: 30 s. */
export const REFRESH_GRACE_MS = 30_000;

/** The line that begins with a grant's first refresh token. */
export function firstRefreshLine(
  first: RefreshToken,
  keyId: string,
): RefreshLine {
  return {
    currentHash: first.hash,
    previousHash: null,
    previousUsedAtMs: null,
    endsAtMs: first.expiresAtMs,
    keyId,
  };
}

/**
 * Where in a grant's line a token of it stands. Only its direct predecessor is
 * given grace: anything older has been superseded twice and is a reuse.
 */
export function placeInLine(
  line: RefreshLine,
  hash: string,
  nowMs: number,
): "current" | "grace" | "reused" {
  if (hash === line.currentHash) return "current";
  const { previousHash, previousUsedAtMs } = line;
  const sinceMs = nowMs - (previousUsedAtMs ?? -Infinity);
  return hash === previousHash && sinceMs <= REFRESH_GRACE_MS
    ? "grace"
    : "reused";
}

/**
 * The token that follows another, the same each time: a client that lost the
 * answer, or asked twice at once, gets one and the same successor.
 */
export function successorOf(
  keys: Keys,
  keyId: string,
  grant: Pick<Grant, "id" | "mandate">,
  text: string,
  nowMs: number,
): ReturnType<typeof newRefreshToken> | null {
  const secret = keys.mac("refresh-successor", text, keyId);
  return secret === null ? null : newRefreshToken(grant, secret, nowMs);
}
