import type { Services } from "../ports.ts";
import {
  type AccessTokenParts,
  isTokenOf,
  readAccessToken,
} from "./access_token.ts";
import { hasEnded, withEnded } from "./ended_tokens.ts";
import type { Grant } from "./grant.ts";
import { isOfLine } from "./refresh_line.ts";
import { readRefreshToken } from "./refresh_token.ts";
import { revokeIn } from "./revoke_grant.ts";

/** Which token is to end, and who says so. */
export interface RevokeToken {
  /** Any text at all. */
  token: string;
  /** Null: holding the token is proof enough to end it. */
  clientId: string | null;
}

/**
 * Ends a token (RFC 7009): of a refresh token the whole grant, of an access
 * token that one alone. What is unknown, ended or another client's is left as
 * it is, and nobody is told which.
 */
export async function revokeToken(
  services: Services,
  input: RevokeToken,
): Promise<void> {
  const access = readAccessToken(input.token);
  if (access !== null) return await revokeAccess(services, input, access);
  const shown = readRefreshToken(input.token);
  if (shown === null) return;
  const { clock, store } = services;
  await store.transact(async (tx) => {
    const grant = await tx.grants.find(shown.grantId);
    if (!isAliveFor(grant, input) || grant.refresh === null) return;
    if (!isOfLine(grant.refresh, shown)) return;
    revokeIn(tx, grant, "client", clock.now());
  });
}

function revokeAccess(
  { clock, keys, store }: Services,
  input: RevokeToken,
  access: AccessTokenParts,
): Promise<void> {
  return store.transact(async (tx) => {
    const grant = await tx.grants.find(access.grantId);
    if (!isAliveFor(grant, input) || !isTokenOf(keys, grant, access)) return;
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
