import { invariant } from "../invariant.ts";
import type { Keys, Transaction } from "../ports.ts";
import {
  type Extent,
  type IssuingGrant,
  type NewAccessToken,
  newAccessToken,
} from "./access_token.ts";
import type { Grant, Scope } from "./grant.ts";
import { beginLine, type LineEnd, type LineSecrets } from "./refresh_line.ts";
import type { Resource } from "./resource.ts";

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
  const end = beginLine(grant, secrets.refresh, keys.currentId, nowMs);
  const issuing: Grant = {
    ...grant,
    refresh: end.line,
    lastUsedAtMs: nowMs,
  };
  const access = accessOf(keys, issuing, narrowing, secrets.access, nowMs);
  tx.grants.save(issuing);
  return issuedTokens(issuing, access, end);
}

/** An access token of a grant that has a line. */
export function accessOf(
  keys: Keys,
  grant: IssuingGrant,
  extent: Extent,
  secret: string,
  nowMs: number,
): NewAccessToken {
  const access = newAccessToken(keys, grant, extent, secret, nowMs);
  invariant(access !== null, "a grant with a line has access tokens");
  return access;
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
