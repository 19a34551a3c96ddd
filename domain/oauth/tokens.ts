import { mandateEnded } from "../mandates/mandate_check.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { sha256Text } from "../sha256.ts";
import {
  type Extent,
  isTokenOf,
  type NewAccessToken,
  newAccessToken,
  readAccessToken,
} from "./access_token.ts";
import { hasEnded } from "./ended_tokens.ts";
import type { Bearer, Grant } from "./grant.ts";
import { covers, type Resource } from "./resource.ts";

/** Begins every authorization code. */
export const AUTHORIZATION_CODE_PREFIX = "svc_ac_";

/** Whether a text has the shape of an authorization code. */
export function isAuthorizationCode(text: string): boolean {
  return /^svc_ac_[A-Za-z0-9_-]{43}$/.test(text);
}

/** The only form in which a code or refresh token is stored: its SHA-256, hex. */
export function tokenHash(text: string): string {
  return sha256Text(text, "hex");
}

/**
 * Issues a fresh access token of a live grant, for all of it or for less.
 *
 * @throws {Refused} `token_invalid` when the grant is unknown or revoked, or
 * its mandate has ended
 */
export async function issueAccessToken(
  { clock, ids, keys, store }: Pick<
    Services,
    "clock" | "ids" | "keys" | "store"
  >,
  grantId: string,
  narrowing: Partial<Extent> = {},
): Promise<NewAccessToken> {
  const grant = await store.grants.find(grantId);
  const nowMs = clock.now();
  if (grant === null || !isLive(grant, nowMs)) {
    refuse({ code: "token_invalid" });
  }
  const extent = { ...grant, ...narrowing };
  return newAccessToken(keys, grant, extent, ids.secret(), nowMs) ??
    refuse({ code: "token_invalid" });
}

/**
 * Checks a bearer token on one strongly consistent read of its grant, since a
 * revoked token fails the next request. The mandate that ends a token is the
 * grant's present one. Never tells which check failed, that
 * it is a token for something else included.
 *
 * @throws {Refused} `token_invalid`
 */
export async function checkBearer(
  services: Pick<Services, "store" | "clock" | "keys">,
  text: string,
  audience: Resource = "agent",
): Promise<Bearer> {
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
