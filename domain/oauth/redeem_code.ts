import { mandateEnded } from "../mandates/mandate_check.ts";
import type { Services } from "../ports.ts";
import { sha256Text } from "../sha256.ts";
import type { AuthorizationCode } from "./authorization_request.ts";
import { type IssuedTokens, issueFirstTokens } from "./issue_tokens.ts";
import { refuseGrant, refuseTarget } from "./refuse_oauth.ts";
import type { Resource } from "./resource.ts";
import { revokeIn } from "./revoke_grant.ts";
import { isSubset } from "./scope_list.ts";
import { isAuthorizationCode, tokenHash } from "./tokens.ts";

/** What a client exchanges, and what it proves. */
export interface RedeemCode {
  code: string;
  clientId: string;
  /** Has to be the one that was asked with; OAuth 2.1 lets it be left out. */
  redirectUri: string | null;
  codeVerifier: string;
  /** Fewer than were granted; null for all of them. */
  resources: readonly Resource[] | null;
}

/** RFC 7636 §4.1. */
const VERIFIER_SHAPE = /^[A-Za-z0-9\-._~]{43,128}$/;

/**
 * Exchanges a code for the first tokens of its grant, once: of any number at
 * the same time one wins. A wrong binding leaves the code as it is. The same
 * code again, with everything else right, means that somebody else has it too:
 * the grant and all its tokens end (OAuth 2.1 §7.5.2). Decision 0041 says why.
 *
 * @throws {Refused} `oauth_error`: `invalid_grant`, `invalid_target`
 */
export async function redeemCode(
  services: Services,
  input: RedeemCode,
): Promise<IssuedTokens> {
  if (!isAuthorizationCode(input.code)) refuseGrant();
  const { clock, ids, keys, store } = services;
  const hash = tokenHash(input.code);
  const secrets = {
    access: ids.secret(),
    refresh: { line: ids.secret(), first: ids.secret() },
  };
  const outcome = await store.transact(async (tx) => {
    const nowMs = clock.now();
    // A code never changes, so only its grant is checked by the commit.
    const code = await tx.peek(tx.authorizationCodes.ref(hash));
    if (code === null || !isBound(code, input)) return null;
    const grant = await tx.grants.find(code.grantId);
    if (grant === null || grant.revokedAtMs !== null) return null;
    if (grant.refresh !== null) {
      revokeIn(tx, grant, "code_replay", nowMs);
      return null;
    }
    if (nowMs >= code.goodUntilMs || mandateEnded(grant.mandate, nowMs)) {
      return null;
    }
    const resources = input.resources ?? grant.resources;
    if (!isSubset(resources, grant.resources)) refuseTarget();
    const { scopes } = grant;
    const narrowing = { scopes, resources };
    return issueFirstTokens(tx, keys, grant, secrets, narrowing, nowMs);
  });
  return outcome ?? refuseGrant();
}

function isBound(code: AuthorizationCode, input: RedeemCode): boolean {
  const { clientId, redirectUri, codeVerifier } = input;
  return code.clientId === clientId &&
    (redirectUri === null || redirectUri === code.redirectUri) &&
    VERIFIER_SHAPE.test(codeVerifier) &&
    challengeOf(codeVerifier) === code.codeChallenge;
}

function challengeOf(verifier: string): string {
  return sha256Text(verifier, "base64url");
}
