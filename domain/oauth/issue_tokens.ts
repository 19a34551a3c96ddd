import type { Keys, Transaction } from "../ports.ts";
import {
  type Extent,
  type NewAccessToken,
  newAccessToken,
} from "./access_token.ts";
import type { Grant, Scope } from "./grant.ts";
import { beginLine, type LineEnd, type LineSecrets } from "./refresh_line.ts";

/** What a client gets; the texts are shown only here. */
export interface IssuedTokens {
  accessToken: string;
  accessLifetimeMs: number;
  refreshToken: string;
  refreshEndsAtMs: number;
  /** Of the access token. */
  scopes: readonly Scope[];
  grant: Grant;
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
  extent: Extent,
  nowMs: number,
): IssuedTokens {
  const end = beginLine(grant, secrets.refresh, keys.currentId, nowMs);
  const issuing: Grant = {
    ...grant,
    refresh: end.line,
    lastUsedAtMs: nowMs,
  };
  const access = newAccessToken(keys, issuing, extent, secrets.access, nowMs);
  tx.grants.save(issuing);
  return issuedTokens(issuing, access, end);
}

/** What the client is told of tokens that are saved. */
export function issuedTokens(
  grant: Grant,
  access: NewAccessToken,
  refresh: LineEnd,
): IssuedTokens {
  return {
    accessToken: access.text,
    accessLifetimeMs: access.lifetimeMs,
    refreshToken: refresh.text,
    refreshEndsAtMs: refresh.line.endsAtMs,
    scopes: access.scopes,
    grant,
  };
}
