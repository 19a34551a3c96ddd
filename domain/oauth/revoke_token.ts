import {
  type AccessTokenParts,
  lineOfToken,
  readAccessToken,
} from "./access_token.ts";
import { hasEnded, withEnded } from "./ended_tokens.ts";
import { findNamedGrant } from "./find_named_grant.ts";
import type { Grant } from "./grant.ts";
import type { ExchangeServices } from "./issue_tokens.ts";
import { lineOfRefreshToken, withoutLine } from "./lines.ts";
import { readRefreshToken } from "./refresh_token.ts";

/** Which token is to end, and who says so. */
export interface RevokeToken {
  /** Any text at all. */
  token: string;
  /** Null: holding the token is proof enough to end it. */
  clientId: string | null;
}

/**
 * Ends a token (RFC 7009): with a refresh token its line and that line's access
 * tokens, of access tokens that one alone. The grant stays for its other lines,
 * and for the next consent. What is unknown, ended or another client's is left as
 * it is, and nobody is told which.
 */
export async function revokeToken(
  services: ExchangeServices,
  input: RevokeToken,
): Promise<void> {
  const access = readAccessToken(input.token);
  if (access !== null) return await revokeAccess(services, input, access);
  const shown = readRefreshToken(input.token);
  if (shown === null) return;
  const { clock, store } = services;
  await store.transact(async (tx) => {
    const grant = await findNamedGrant(tx, shown.grantId);
    if (!isAliveFor(grant, input)) return;
    const line = lineOfRefreshToken(grant, shown);
    if (line === null) return;
    tx.grants.save(withoutLine(grant, line, "client", clock.now()));
  });
}

function revokeAccess(
  { clock, keys, store }: ExchangeServices,
  input: RevokeToken,
  access: AccessTokenParts,
): Promise<void> {
  return store.transact(async (tx) => {
    const grant = await findNamedGrant(tx, access.grantId);
    if (!isAliveFor(grant, input)) return;
    if (lineOfToken(keys, grant, access) === null) return;
    const nowMs = clock.now();
    if (nowMs >= access.expiresAtMs || hasEnded(grant, access)) return;
    tx.grants.save(withEnded(grant, access, nowMs));
  });
}

function isAliveFor(
  grant: Grant | null,
  { clientId }: RevokeToken,
): grant is Grant {
  return grant !== null && grant.revokedAtMs === null &&
    (clientId === null || clientId === grant.clientId);
}
