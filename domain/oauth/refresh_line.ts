import { invariant } from "../invariant.ts";
import type { Keys, Transaction } from "../ports.ts";
import type { Grant, RefreshLine, RefreshToken } from "./grant.ts";
import { newRefreshToken, refreshTokenText, tokenHash } from "./tokens.ts";

const PURPOSE = "refresh-successor";

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

/** The current token of a grant, with the line it is the end of. */
export interface LineEnd {
  text: string;
  line: RefreshLine;
}

/**
 * The current token is used: its successor becomes current. It is derived, so
 * a client that lost the answer or asked twice at once gets one and the same.
 * Buffers the successor's row; the grant is the caller's to save.
 */
export function moveOn(
  tx: Transaction,
  keys: Keys,
  grant: Pick<Grant, "id" | "mandate"> & { refresh: RefreshLine },
  text: string,
  nowMs: number,
): LineEnd {
  const keyId = keys.currentId;
  const secret = keys.mac(PURPOSE, text, keyId);
  invariant(secret !== null, "the current key is known");
  const next = newRefreshToken(grant, secret, nowMs);
  tx.refreshTokens.save(next.row);
  return {
    text: next.text,
    line: {
      currentHash: next.row.hash,
      previousHash: grant.refresh.currentHash,
      previousUsedAtMs: nowMs,
      endsAtMs: next.row.expiresAtMs,
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
  grant: Pick<Grant, "id">,
  line: RefreshLine,
  text: string,
): LineEnd | null {
  const secret = keys.mac(PURPOSE, text, line.keyId);
  if (secret === null) return null;
  const again = refreshTokenText(grant.id, secret);
  invariant(
    tokenHash(again) === line.currentHash,
    "a token has one successor",
  );
  return { text: again, line };
}
