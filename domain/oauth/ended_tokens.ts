import { ACCESS_TOKEN_MS } from "../limits.ts";
import type { AccessTokenParts } from "./access_token.ts";
import type { EndedToken, Grant } from "./grant.ts";

/** Access tokens of one grant that are ended by their names within an hour. */
export const ENDED_TOKENS_MAX = 50;

/** Which token it is, and when it was issued, an hour before it expires. */
type Named = Pick<AccessTokenParts, "name" | "expiresAtMs">;

/** Whether the token was ended by itself, or with all before it. */
export function hasEnded(
  { endedTokens = [], endedThroughMs = -Infinity }: Grant,
  token: Named,
): boolean {
  return issuedAtMs(token) <= endedThroughMs ||
    endedTokens.some(({ name }) => name === token.name);
}

/**
 * The grant with that token ended; names are kept for as long as their tokens
 * would have been good. When it has as many as it may have, all access tokens
 * issued until now end instead: its client refreshes, and goes on.
 */
export function withEnded(
  grant: Grant,
  { name, expiresAtMs }: Named,
  nowMs: number,
): Grant {
  const kept = (grant.endedTokens ?? []).filter((ended) =>
    nowMs < ended.expiresAtMs
  );
  const ended = [...kept, { name, expiresAtMs }];
  if (kept.length < ENDED_TOKENS_MAX) return { ...grant, endedTokens: ended };
  // Another isolate's clock may be ahead: none of these may come back.
  const endedThroughMs = Math.max(nowMs, ...ended.map(issuedAtMs));
  return { ...grant, endedTokens: [], endedThroughMs };
}

function issuedAtMs({ expiresAtMs }: Pick<EndedToken, "expiresAtMs">): number {
  return expiresAtMs - ACCESS_TOKEN_MS;
}
