import { sha256Hex } from "../sha256.ts";
import { invariant } from "../invariant.ts";
import type { Keys } from "../ports.ts";
import type { Grant, RefreshLine } from "./grant.ts";
import {
  lineOf,
  newRefreshToken,
  type RefreshTokenParts,
  refreshTokenText,
} from "./refresh_token.ts";

const PURPOSE = "refresh-successor";

/** How long the token before the current one may still be presented: 30 s. */
export const REFRESH_GRACE_MS = 30_000;

/** A refresh token as a client shows it. */
export interface ShownToken extends RefreshTokenParts {
  text: string;
  hash: string;
}

/** The current token of a line, with the line it is the end of. */
export interface LineEnd {
  text: string;
  line: RefreshLine;
}

/**
 * Begins a line of a grant with its first refresh token. Decision 0041 says why
 * tokens form a line.
 *
 * @param secrets the random halves of the line's name and of its first token
 */
export function beginLine(
  grant: Pick<Grant, "id" | "mandate">,
  secrets: { line: string; first: string },
  keyId: string,
  nowMs: number,
): LineEnd {
  const line = lineOf(secrets.line);
  const { text, hash, number, endsAtMs } = newRefreshToken(
    grant,
    { line, number: 1, secret: secrets.first },
    nowMs,
  );
  return {
    text,
    line: {
      lineHash: sha256Hex(line),
      number,
      currentHash: hash,
      previousHash: null,
      previousUsedAtMs: null,
      endsAtMs,
      keyId,
    },
  };
}

/**
 * Whether a token names this line, which only who holds or held one of its
 * tokens can do.
 */
export function isOfLine(
  { lineHash }: RefreshLine,
  { line }: Pick<RefreshTokenParts, "line">,
): boolean {
  return sha256Hex(line) === lineHash;
}

/**
 * Where in a line a token stands. Only the direct predecessor is given
 * grace: anything older has been superseded twice and is a reuse. `none` for
 * what is no token of it, for one that has run out, and for one with a number
 * that is yet to come, as after an older backup was brought back.
 *
 * @param isUntold whether this process never told what the token's use has made
 */
export function placeInLine(
  line: RefreshLine,
  token: ShownToken,
  nowMs: number,
  isUntold = false,
): "current" | "grace" | "reused" | "none" {
  const { previousHash, previousUsedAtMs } = line;
  if (token.hash === line.currentHash) {
    return nowMs < line.endsAtMs ? "current" : "none";
  }
  const sinceMs = nowMs - (previousUsedAtMs ?? -Infinity);
  const isGraced = sinceMs <= REFRESH_GRACE_MS ||
    isUntold && nowMs < line.endsAtMs;
  if (token.hash === previousHash && isGraced) return "grace";
  return token.number < line.number && isOfLine(line, token)
    ? "reused"
    : "none";
}

/**
 * The current token is used: its successor becomes current. It is derived, so
 * a client that lost the answer or asked twice at once gets one and the same.
 */
export function moveOn(
  keys: Keys,
  { refresh, mandate }: Pick<Grant, "mandate"> & { refresh: RefreshLine },
  token: ShownToken,
  nowMs: number,
): LineEnd {
  const keyId = keys.currentId;
  const secret = keys.mac(PURPOSE, token.text, keyId);
  invariant(secret !== null, "the current key is known");
  const number = refresh.number + 1;
  const { grantId: id, line } = token;
  const named = { id, mandate };
  const next = newRefreshToken(named, { line, number, secret }, nowMs);
  return {
    text: next.text,
    line: {
      lineHash: refresh.lineHash,
      number,
      currentHash: next.hash,
      previousHash: refresh.currentHash,
      previousUsedAtMs: nowMs,
      endsAtMs: next.endsAtMs,
      keyId,
    },
  };
}

/**
 * The token before the current one is shown again: the same successor. Null
 * when the secret it was derived with is out of use since.
 */
export function repeatSuccessor(
  keys: Keys,
  refresh: RefreshLine,
  { text, grantId, line }: ShownToken,
): LineEnd | null {
  const secret = keys.mac(PURPOSE, text, refresh.keyId);
  if (secret === null) return null;
  const { number } = refresh;
  const again = refreshTokenText({ grantId, line, number }, secret);
  invariant(
    sha256Hex(again) === refresh.currentHash,
    "a token has one successor",
  );
  return { text: again, line: refresh };
}
