import type { Services } from "../ports.ts";
import { revokeIn } from "./revoke_grant.ts";
import {
  grantIdOfAccessToken,
  grantIdOfRefreshToken,
  tokenHash,
} from "./tokens.ts";

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
export function revokeToken(
  services: Services,
  { token, clientId }: RevokeToken,
): Promise<void> {
  const grantId = grantIdOfAccessToken(token) ?? grantIdOfRefreshToken(token);
  if (grantId === null) return Promise.resolve();
  const hash = tokenHash(token);
  const { clock, store } = services;
  return store.transact(async (tx) => {
    const [access, refresh, grant] = await tx.getMany([
      tx.accessTokens.ref(hash),
      tx.refreshTokens.ref(hash),
      tx.grants.ref(grantId),
    ]);
    const found = access ?? refresh;
    if (grant === null || found === null || found.grantId !== grant.id) return;
    if (clientId !== null && clientId !== grant.clientId) return;
    if (grant.revokedAtMs !== null) return;
    const nowMs = clock.now();
    if (access === null) revokeIn(tx, grant, "client", nowMs);
    else if (access.revokedAtMs === null) {
      tx.accessTokens.save({ ...access, revokedAtMs: nowMs });
    }
  });
}
