/**
 * The lines of a grant: each time its client is authorized, by whichever of its
 * installations, another one begins. Decision 0041 says why.
 *
 * @module
 */
import { AUTHORIZATION_CODE_MS } from "./authorization_request.ts";
import type { Grant, Line, LineEndedReason, TokenLine } from "./grant.ts";
import { isOfLine } from "./refresh_line.ts";
import type { RefreshTokenParts } from "./refresh_token.ts";

/** Lines of one grant; another one ends that which was used longest ago. */
export const LINES_MAX = 10;

/** The grant with these lines, as the release before can read it, too. */
export function withLines(grant: Grant, lines: readonly Line[]): Grant {
  const refresh = lines.findLast((line) => line.refresh !== null)?.refresh;
  return { ...grant, lines, refresh: refresh ?? null };
}

/** The line of that id; null when it has ended. */
export function findLine(
  { lines }: Pick<Grant, "lines">,
  id: string,
): Line | null {
  return lines.find((line) => line.id === id) ?? null;
}

/** The line of refresh tokens that one of them names; null for another one. */
export function lineOfRefreshToken(
  { lines }: Pick<Grant, "lines">,
  token: Pick<RefreshTokenParts, "line">,
): TokenLine | null {
  const isNamed = (line: Line): line is TokenLine =>
    line.refresh !== null && isOfLine(line.refresh, token);
  return lines.find(isNamed) ?? null;
}

/** The grant with that line in place of the one of its id. */
export function withLine(grant: Grant, line: Line): Grant {
  return withLines(
    grant,
    grant.lines.map((each) => each.id === line.id ? line : each),
  );
}

/** The grant with that line ended: none of its tokens is good any more. */
export function withoutLine(
  grant: Grant,
  { id }: Pick<Line, "id">,
  reason: LineEndedReason,
  atMs: number,
): Grant {
  const lines = grant.lines.filter((line) => line.id !== id);
  const isTheft = reason === "refresh_reuse" || reason === "code_replay";
  return {
    ...withLines(grant, lines),
    lastEnding: { reason, atMs },
    ...isTheft && { trustedSinceMs: atMs },
  };
}

/**
 * The grant with these lines begun as well. What has run out goes; of more than
 * are kept those end that were used longest ago.
 */
export function withMoreLines(
  grant: Grant,
  more: readonly Line[],
  nowMs: number,
): Grant {
  const standing = standingLines({ lines: [...grant.lines, ...more] }, nowMs);
  const surplus = standing
    .toSorted((a, b) => lastUsedMs(a) - lastUsedMs(b))
    .slice(0, Math.max(0, standing.length - LINES_MAX));
  const lines = standing.filter((line) => !surplus.includes(line));
  const changed = withLines(grant, lines);
  if (surplus.length === 0) return changed;
  return { ...changed, lastEnding: { reason: "too_many", atMs: nowMs } };
}

/** Those that may still be good, in the order they began. */
export function standingLines(
  { lines }: Pick<Grant, "lines">,
  nowMs: number,
): Line[] {
  return lines.filter((line) =>
    hasTokens(line, nowMs) || isWaiting(line, nowMs)
  );
}

/** Whether a line has tokens that may still be good. */
export function hasTokens(line: Line, nowMs: number): line is TokenLine {
  return line.refresh !== null && nowMs < line.refresh.endsAtMs;
}

/** Whether a line waits for its code to be exchanged. */
export function isWaiting(
  { refresh, begunAtMs }: Line,
  nowMs: number,
): boolean {
  return refresh === null && nowMs < begunAtMs + AUTHORIZATION_CODE_MS;
}

/** Whether a grant is not revoked, and that line of it has not ended. */
export function hasLine(
  { lines, revokedAtMs }: Pick<Grant, "lines" | "revokedAtMs">,
  lineId: string,
): boolean {
  return revokedAtMs === null && lines.some(({ id }) => id === lineId);
}

function lastUsedMs({ refresh, begunAtMs }: Line): number {
  return refresh?.previousUsedAtMs ?? begunAtMs;
}
