import { mandateEnded } from "../mandates/mandate_check.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { isTokenOf, readAccessToken } from "./access_token.ts";
import { hasEnded } from "./ended_tokens.ts";
import type { Grant } from "./grant.ts";
import { covers, type Resource } from "./resource.ts";

/** Begins every authorization code. */
export const AUTHORIZATION_CODE_PREFIX = "svc_ac_";

/** Whether a text has the shape of an authorization code. */
export function isAuthorizationCode(text: string): boolean {
  return /^svc_ac_[A-Za-z0-9_-]{43}$/.test(text);
}

/**
 * Checks a bearer token on one strongly consistent read of its grant, since a
 * revoked token fails the next request. The mandate that ends a token is the
 * grant's present one. Never tells which check failed.
 *
 * @throws {Refused} `token_invalid`
 */
export async function checkBearer(
  services: Pick<Services, "store" | "clock" | "keys">,
  text: string,
  audience: Resource = "agent",
): Promise<{ grant: Grant }> {
  const token = readAccessToken(text);
  if (token === null) refuse({ code: "token_invalid" });
  const { store, clock, keys } = services;
  const grant = await store.grants.find(token.grantId);
  const { scopes, resources } = token;
  const nowMs = clock.now();
  const alive = grant !== null && isLive(grant, nowMs) &&
    nowMs < token.expiresAtMs && covers(resources, audience) &&
    isTokenOf(keys, grant, token) && !hasEnded(grant, token);
  if (!alive) refuse({ code: "token_invalid" });
  return { grant: { ...grant, scopes, resources } };
}

/** Whether a grant's tokens may still be good (contract §9.5). */
function isLive({ revokedAtMs, mandate }: Grant, nowMs: number): boolean {
  return revokedAtMs === null && !mandateEnded(mandate, nowMs);
}
