import type { Keys, Transaction } from "../ports.ts";
import type { AccessToken, Grant, Scope } from "./grant.ts";
import { firstRefreshLine } from "./refresh_line.ts";
import type { Resource } from "./resource.ts";
import { type Issued, newAccessToken, newRefreshToken } from "./tokens.ts";

/** What a client gets; the texts are shown only here. */
export interface IssuedTokens {
  accessToken: string;
  accessExpiresAtMs: number;
  refreshToken: string;
  refreshEndsAtMs: number;
  /** Of the access token. */
  scopes: readonly Scope[];
  grant: Grant;
}

/** How much less than the grant's the access token is to be good for. */
export interface Narrowing {
  scopes: readonly Scope[];
  resources: readonly Resource[];
}

/** Random halves of the tokens, made outside the transaction. */
export interface TokenSecrets {
  access: string;
  refresh: string;
}

/** Begins a grant's line of refresh tokens, in the caller's own commit. */
export function issueFirstTokens(
  tx: Transaction,
  keys: Keys,
  grant: Grant,
  secrets: TokenSecrets,
  narrowing: Narrowing,
  nowMs: number,
): IssuedTokens {
  const access = newAccessToken(
    { id: grant.id, ...narrowing },
    secrets.access,
    nowMs,
  );
  const refresh = newRefreshToken(grant, secrets.refresh, nowMs);
  const issuing: Grant = {
    ...grant,
    refresh: firstRefreshLine(refresh.row, keys.currentId),
    lastUsedAtMs: nowMs,
  };
  tx.grants.save(issuing);
  tx.accessTokens.save(access.row);
  tx.refreshTokens.save(refresh.row);
  return issuedTokens(issuing, access, {
    text: refresh.text,
    endsAtMs: refresh.row.expiresAtMs,
  });
}

/** What the client is told of tokens that are saved. */
export function issuedTokens(
  grant: Grant,
  access: Issued<AccessToken>,
  refresh: { text: string; endsAtMs: number },
): IssuedTokens {
  return {
    accessToken: access.text,
    accessExpiresAtMs: access.row.expiresAtMs,
    refreshToken: refresh.text,
    refreshEndsAtMs: refresh.endsAtMs,
    scopes: access.row.scopes,
    grant,
  };
}
