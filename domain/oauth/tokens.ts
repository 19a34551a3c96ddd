import { mandateEnded } from "../mandates/mandate_check.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { lineOfToken, readAccessToken } from "./access_token.ts";
import { hasEnded } from "./ended_tokens.ts";
import { findNamedGrant } from "./find_named_grant.ts";
import type { Grant } from "./grant.ts";
import { hasTokens } from "./lines.ts";
import { covers, type Resource } from "./resource.ts";

/** Begins every authorization code. */
export const AUTHORIZATION_CODE_PREFIX = "svc_ac_";

/** Whether a text has the shape of an authorization code. */
export function isAuthorizationCode(text: string): boolean {
  return /^svc_ac_[A-Za-z0-9_-]{43}$/.test(text);
}

/** A live token's grant, with what the token is good for. */
export interface CheckedGrant extends Grant {
  lineId: string;
}

/**
 * Checks a bearer token on one strongly consistent read of its grant, since a
 * revoked token fails the next request. The mandate that ends a token is the
 * grant's present one, and no token allows more than its grant does now. Never
 * tells which check failed, but for a token that is good for something else:
 * its holder is told what it is for, as no refresh would mend that.
 *
 * @throws {Refused} `token_invalid`
 */
export async function checkBearer(
  services: Pick<Services, "store" | "clock" | "keys">,
  text: string,
  audience: Resource = "agent",
): Promise<{ grant: CheckedGrant }> {
  const token = readAccessToken(text);
  if (token === null) refuse({ code: "token_invalid" });
  const { store, clock, keys } = services;
  const grant = await findNamedGrant(store, token.grantId);
  const nowMs = clock.now();
  const line = grant && lineOfToken(keys, grant, token);
  const alive = grant !== null && line !== null && isLive(grant, nowMs) &&
    hasTokens(line, nowMs) && nowMs < token.expiresAtMs &&
    !hasEnded(grant, token);
  if (!alive) refuse({ code: "token_invalid" });
  const { resources } = token;
  if (!covers(resources, audience)) {
    refuse({ code: "token_invalid", resources });
  }
  const scopes = token.scopes.filter((scope) => grant.scopes.includes(scope));
  return { grant: { ...grant, scopes, resources, lineId: line.id } };
}

/** Whether a grant's tokens may still be good (contract §9.5). */
function isLive({ revokedAtMs, mandate }: Grant, nowMs: number): boolean {
  return revokedAtMs === null && !mandateEnded(mandate, nowMs);
}
