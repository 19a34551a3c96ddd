import type { Services } from "../ports.ts";
import type { Grant } from "./grant.ts";
import { isOfLine } from "./refresh_line.ts";
import { readRefreshToken } from "./refresh_token.ts";
import { revokeIn } from "./revoke_grant.ts";
import { grantIdOfAccessToken, tokenHash } from "./tokens.ts";

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
  const grantId = grantIdOfAccessToken(input.token);
  if (grantId !== null) return await revokeAccess(services, input, grantId);
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
  { clock, store }: Services,
  input: RevokeToken,
  grantId: string,
): Promise<void> {
  const hash = tokenHash(input.token);
  return store.transact(async (tx) => {
    const [access, grant] = await tx.getMany([
      tx.accessTokens.ref(grantId, hash),
      tx.grants.ref(grantId),
    ]);
    if (!isAliveFor(grant, input) || access?.grantId !== grant.id) return;
    if (access.revokedAtMs !== null) return;
    tx.accessTokens.save({ ...access, revokedAtMs: clock.now() });
  });
}

function isAliveFor(
  grant: Grant | null,
  { clientId }: RevokeToken,
): grant is Grant {
  return grant !== null && grant.revokedAtMs === null &&
    (clientId === null || clientId === grant.clientId);
}
