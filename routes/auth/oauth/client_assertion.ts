import {
  createLocalJWKSet,
  decodeJwt,
  type JSONWebKeySet,
  jwtVerify,
} from "@panva/jose";
import {
  ASSERTION_ALGORITHMS,
  type Jwk,
} from "../../../domain/oauth/client.ts";
import type { VerifiedAssertion } from "../../../domain/oauth/clients/use_assertion.ts";

/** How long an assertion may be good at most. */
const LIFE_MAX_S = 300;
const CLOCK_TOLERANCE_S = 10;
const JTI_MAX = 255;

/** What an assertion is checked against. */
export interface AssertionContext {
  clientId: string;
  /** The only audience there is (RFC 7523bis). */
  issuer: string;
  keys: readonly Jwk[];
  nowMs: number;
}

/**
 * Verifies a client's assertion (RFC 7523): signed with one of its keys, by and
 * about itself, for this server alone, short-lived and with a `jti`, which the
 * caller has to accept only once. Null for whatever is wrong.
 */
export async function verifyAssertion(
  assertion: string,
  context: AssertionContext,
): Promise<VerifiedAssertion | null> {
  const { clientId, issuer, keys, nowMs } = context;
  try {
    const set = createLocalJWKSet({ keys } as unknown as JSONWebKeySet);
    const { payload } = await jwtVerify(assertion, set, {
      algorithms: ASSERTION_ALGORITHMS,
      issuer: clientId,
      subject: clientId,
      audience: issuer,
      requiredClaims: ["exp", "jti"],
      currentDate: new Date(nowMs),
      clockTolerance: CLOCK_TOLERANCE_S,
    });
    const { aud, exp = 0, jti } = payload;
    const alone = aud === issuer || Array.isArray(aud) && aud.length === 1;
    const short = exp <= nowMs / 1_000 + LIFE_MAX_S + CLOCK_TOLERANCE_S;
    if (!alone || !short || typeof jti !== "string") return null;
    if (jti === "" || jti.length > JTI_MAX) return null;
    return { clientId, jti, expiresAtMs: exp * 1_000 };
  } catch {
    // Nothing but a stranger's bytes and keys goes into this.
    return null;
  }
}

/** Who an assertion says it is by, before anything of it is checked. */
export function claimedClient(assertion: string): string | null {
  try {
    // Its type is what libraries write there, not what strangers do.
    const { sub }: { sub?: unknown } = decodeJwt(assertion);
    return typeof sub === "string" ? sub : null;
  } catch {
    return null;
  }
}
