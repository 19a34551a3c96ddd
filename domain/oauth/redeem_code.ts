import { evictOldest } from "../evict_oldest.ts";
import { OutcomeUnknown, TemporaryFailure } from "../failure.ts";
import { mandateEnded } from "../mandates/mandate_check.ts";
import type { Services, Transaction } from "../ports.ts";
import { sha256Hex, sha256Text } from "../sha256.ts";
import type { AuthorizationCode } from "./authorization_request.ts";
import {
  firstTokens,
  inTime,
  isOf,
  lineWith,
  repeatable,
  type RepeatPromises,
} from "./first_tokens.ts";
import type { Grant, Undelivered } from "./grant.ts";
import type { IssuedTokens } from "./issue_tokens.ts";
import { refuseGrant, refuseTarget } from "./refuse_oauth.ts";
import type { Resource } from "./resource.ts";
import { revokeIn } from "./revoke_grant.ts";
import { isSubset } from "./scope_list.ts";
import { isAuthorizationCode } from "./tokens.ts";

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

/** More than an outage leaves of exchanges under way. */
const PROMISES_MAX = 10_000;

/** RFC 7636 §4.1. */
const VERIFIER_SHAPE = /^[A-Za-z0-9\-._~]{43,128}$/;

/**
 * Exchanges a code for the first tokens of its grant, once: of any number at
 * the same time one wins. A wrong binding leaves the code as it is. The same
 * code again, with everything else right, means that somebody else has it too:
 * the grant and all its tokens end (OAuth 2.1 §7.5.2).
 *
 * That a request is given the tokens is written before they are sent. What was
 * answered "try the same again" is given the same tokens for 30 s. Over a network
 * an exchange that broke off is gone on with as well, at any process. Decision
 * 0041 says why.
 *
 * @throws {Refused} `oauth_error`: `invalid_grant`, `invalid_target`
 */
export async function redeemCode(
  services: Services,
  input: RedeemCode,
  promises: RepeatPromises,
): Promise<IssuedTokens> {
  if (!isAuthorizationCode(input.code)) refuseGrant();
  const exchange = new CodeExchange(services, input, promises);
  // Over a network one commit makes the tokens, and the next one gives them.
  const { issued, note } = await exchange.goOn();
  if (note?.repeatUntilMs !== null) return issued;
  return (await exchange.goOn()).issued;
}

/** What a commit comes to. */
interface Step {
  issued: IssuedTokens;
  /** What the grant says of it then; null where this request is given tokens. */
  note: Undelivered | null;
}

/** A code that is presented in one request. */
class CodeExchange {
  readonly #services: Services;
  readonly #input: RedeemCode;
  readonly #promises: RepeatPromises;
  readonly #hash: string;
  /** When it came in: one instant, so that a full hour is told as one. */
  readonly #nowMs: number;
  /** It never changes, so only its grant is checked by a commit. */
  #code: AuthorizationCode | null = null;
  /** What the commit that was sent last is for. */
  #sent: Step | null = null;

  constructor(
    services: Services,
    input: RedeemCode,
    promises: RepeatPromises,
  ) {
    this.#services = services;
    this.#input = input;
    this.#promises = promises;
    this.#hash = sha256Hex(input.code);
    this.#nowMs = services.clock.now();
  }

  /** Takes the next step; refuses a code that is no good, or was used. */
  async goOn(): Promise<Step> {
    try {
      const step = await this.#services.store.transact(async (tx) => {
        this.#sent = null;
        return this.#sent = await this.#step(tx);
      });
      return step ?? refuseGrant();
    } catch (thrown) {
      const sent = this.#sent;
      if (!(thrown instanceof OutcomeUnknown) || sent === null) throw thrown;
      // Asked to come again, who has been noted as given the tokens might look
      // like somebody who has them already.
      if (sent.note === null) return sent;
      await this.#promise(repeatable(sent.note, this.#services.clock.now()));
      throw thrown;
    }
  }

  /** Null for a code that is no good, and for one that was used before. */
  async #step(tx: Transaction): Promise<Step | null> {
    const grant = await this.#grantIn(tx);
    if (grant === null) return null;
    const before = this.#noteOn(grant);
    if (grant.refresh === null) {
      const made = before ?? this.#newNote();
      return this.#save(tx, grant, made, made);
    }
    if (before === null) {
      revokeIn(tx, grant, "code_replay", this.#nowMs);
      return null;
    }
    const isGiven = before.repeatUntilMs === null;
    return this.#save(tx, grant, before, isGiven ? null : before);
  }

  /** By what somebody may be given the tokens of this grant now. */
  #noteOn(grant: Grant): Undelivered | null {
    const kept = this.#promises.get(this.#hash);
    const promised = kept !== undefined && isOf(grant, kept) ? kept : undefined;
    return inTime(promised, this.#nowMs) ??
      inTime(grant.refresh?.undelivered, this.#nowMs);
  }

  /** Over a network tokens are made first, and given with the next commit. */
  #newNote(): Undelivered {
    const { ids, store } = this.#services;
    const repeatUntilMs = store.isEmbedded ? 0 : null;
    return { madeAtMs: this.#nowMs, madeBy: ids.next("exc"), repeatUntilMs };
  }

  /**
   * Keeps, and writes down for all processes if the store takes it, that this
   * client is told to come again: its own tokens may be repeated then, nobody
   * else's.
   */
  async #promise(promised: Undelivered): Promise<void> {
    this.#promises.set(this.#hash, promised);
    evictOldest(this.#promises, PROMISES_MAX);
    try {
      await this.#services.store.transact(async (tx) => {
        const grant = await this.#grantIn(tx);
        if (grant === null || !isOf(grant, promised)) return;
        this.#save(tx, grant, promised, promised);
      });
    } catch (failure) {
      if (!(failure instanceof TemporaryFailure)) throw failure;
    }
  }

  /** The grant that the code is for, if it is presented as it has to be. */
  async #grantIn(tx: Transaction): Promise<Grant | null> {
    this.#code ??= await tx.peek(tx.authorizationCodes.ref(this.#hash));
    const code = this.#code;
    if (code === null || !isBound(code, this.#input)) return null;
    const grant = await tx.grants.find(code.grantId);
    if (grant === null || grant.revokedAtMs !== null) return null;
    const isLate = grant.refresh === null && this.#nowMs >= code.goodUntilMs;
    return isLate ? null : grant;
  }

  /** Null where the grant gives no tokens any more. */
  #save(
    tx: Transaction,
    grant: Grant,
    { madeAtMs }: Undelivered,
    note: Undelivered | null,
  ): Step | null {
    if (mandateEnded(grant.mandate, this.#nowMs)) return null;
    const { keys } = this.#services;
    const { code, codeVerifier } = this.#input;
    const resources = this.#input.resources ?? grant.resources;
    if (!isSubset(resources, grant.resources)) refuseTarget();
    const extent = { scopes: grant.scopes, resources };
    const exchange = { code, codeVerifier, madeAtMs, extent };
    const issued = firstTokens(keys, grant, exchange);
    if (issued === null) return null;
    tx.grants.save({
      ...grant,
      refresh: lineWith(issued.line, note),
      lastUsedAtMs: grant.lastUsedAtMs ?? madeAtMs,
    });
    const { tokens } = issued;
    const sinceMs = Math.max(0, this.#nowMs - madeAtMs);
    const accessLifetimeMs = tokens.accessLifetimeMs - sinceMs;
    return { issued: { ...tokens, accessLifetimeMs }, note };
  }
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
