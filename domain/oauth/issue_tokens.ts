import type { Keys, Transaction } from "../ports.ts";
import type { AccessToken, Grant, Scope } from "./grant.ts";
import { beginLine, type LineEnd, type LineSecrets } from "./refresh_line.ts";
import type { Resource } from "./resource.ts";
import { type Issued, newAccessToken } from "./tokens.ts";

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
  refresh: LineSecrets;
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
  const end = beginLine(grant, secrets.refresh, keys.currentId, nowMs);
  const issuing: Grant = {
    ...grant,
    refresh: end.line,
    lastUsedAtMs: nowMs,
  };
  tx.grants.save(issuing);
  tx.accessTokens.save(access.row);
  return issuedTokens(issuing, access, end);
}

/** What the client is told of tokens that are saved. */
export function issuedTokens(
  grant: Grant,
  access: Issued<AccessToken>,
  refresh: LineEnd,
): IssuedTokens {
  return {
    accessToken: access.text,
    accessExpiresAtMs: access.row.expiresAtMs,
    refreshToken: refresh.text,
    refreshEndsAtMs: refresh.line.endsAtMs,
    scopes: access.row.scopes,
    grant,
  };
}
