import type { AccessTokenParts } from "./access_token.ts";
import type { Grant } from "./grant.ts";

/**
 * Access tokens of one grant that may be ended one by one within an hour. A
 * client has one or two; who ends more than that ends its grant.
 */
export const ENDED_TOKENS_MAX = 50;

/** Whether the token of that name was ended by itself. */
export function hasEnded({ endedTokens }: Grant, name: string): boolean {
  return endedTokens?.some((ended) => ended.name === name) ?? false;
}

/**
 * The grant with that token ended; names are kept for as long as their tokens
 * would have been good. Null when it has as many as it may have.
 */
export function withEnded(
  grant: Grant,
  { name, expiresAtMs }: Pick<AccessTokenParts, "name" | "expiresAtMs">,
  nowMs: number,
): Grant | null {
  const kept = (grant.endedTokens ?? []).filter((ended) =>
    nowMs < ended.expiresAtMs
  );
  if (kept.length >= ENDED_TOKENS_MAX) return null;
  return { ...grant, endedTokens: [...kept, { name, expiresAtMs }] };
}
