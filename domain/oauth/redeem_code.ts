import { OutcomeUnknown, TemporaryFailure } from "../failure.ts";
import { mandateEnded } from "../mandates/mandate_check.ts";
import type { Keys, Services, Transaction } from "../ports.ts";
import { sha256Hex, sha256Text } from "../sha256.ts";
import type { AuthorizationCode } from "./authorization_request.ts";
import type { Grant } from "./grant.ts";
import {
  type IssuedTokens,
  issueFirstTokens,
  type TokenSecrets,
} from "./issue_tokens.ts";
import { lineOf, refreshTokenText } from "./refresh_token.ts";
import { refuseGrant, refuseTarget } from "./refuse_oauth.ts";
import type { Resource } from "./resource.ts";
import { revokeIn } from "./revoke_grant.ts";
import { isSubset } from "./scope_list.ts";
import { isAuthorizationCode } from "./tokens.ts";
import type {
  UnansweredExchange,
  UnansweredExchanges,
} from "./unanswered_exchanges.ts";

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
 * the grant and all its tokens end (OAuth 2.1 §7.5.2). Not so for 30 s after an
 * answer that says "try the same again": the same tokens are given then, which
 * nobody was given before. Decision 0041 says why.
 *
 * @throws {Refused} `oauth_error`: `invalid_grant`, `invalid_target`
 */
export async function redeemCode(
  services: Services,
  input: RedeemCode,
  unanswered: UnansweredExchanges,
): Promise<IssuedTokens> {
  if (!isAuthorizationCode(input.code)) refuseGrant();
  const { clock, ids, store } = services;
  const hash = sha256Hex(input.code);
  const nowMs = clock.now();
  const before = unanswered.find(hash, nowMs);
  const exchange = before ?? {
    secrets: {
      access: ids.secret(),
      refresh: { line: ids.secret(), first: ids.secret() },
    },
    atMs: nowMs,
  };
  try {
    const issued = await store.transact((tx) =>
      exchangeIn(tx, services.keys, input, { hash, exchange, before, nowMs })
    );
    return issued ?? refuseGrant();
  } catch (thrown) {
    const isRepeat = before !== null && thrown instanceof TemporaryFailure;
    if (isRepeat || thrown instanceof OutcomeUnknown) {
      unanswered.note(hash, exchange, clock.now());
    }
    throw thrown;
  }
}

/** A code that is presented, and the exchange it is or was presented for. */
interface Presented {
  hash: string;
  exchange: UnansweredExchange;
  before: UnansweredExchange | null;
  /** When it came in: one instant, so that a full hour is told as one. */
  nowMs: number;
}

/** Null for a code that is no good, and for one that was used before. */
async function exchangeIn(
  tx: Transaction,
  keys: Keys,
  input: RedeemCode,
  { hash, exchange, before, nowMs }: Presented,
): Promise<IssuedTokens | null> {
  // A code never changes, so only its grant is checked by the commit.
  const code = await tx.peek(tx.authorizationCodes.ref(hash));
  if (code === null || !isBound(code, input)) return null;
  const grant = await tx.grants.find(code.grantId);
  if (grant === null || grant.revokedAtMs !== null) return null;
  const { refresh } = grant;
  const { secrets, atMs } = exchange;
  if (refresh !== null && (before === null || !isFirst(grant, secrets))) {
    revokeIn(tx, grant, "code_replay", nowMs);
    return null;
  }
  const isLate = refresh === null && nowMs >= code.goodUntilMs;
  if (isLate || mandateEnded(grant.mandate, nowMs)) return null;
  const resources = input.resources ?? grant.resources;
  if (!isSubset(resources, grant.resources)) refuseTarget();
  const narrowing = { scopes: grant.scopes, resources };
  const issued = issueFirstTokens(tx, keys, grant, secrets, narrowing, atMs);
  const accessLifetimeMs = issued.accessLifetimeMs - (nowMs - atMs);
  return { ...issued, accessLifetimeMs };
}

/** Whether the grant's line is still at the first token, made of the secrets. */
function isFirst(
  { id, refresh }: Grant,
  { refresh: { line, first } }: TokenSecrets,
): boolean {
  const parts = { grantId: id, line: lineOf(line), number: 1 };
  return sha256Hex(refreshTokenText(parts, first)) === refresh?.currentHash;
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
