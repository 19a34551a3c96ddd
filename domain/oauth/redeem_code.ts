import { evictOldest } from "../evict_oldest.ts";
import { OutcomeUnknown, TemporaryFailure } from "../failure.ts";
import { mandateEnded } from "../mandates/mandate_check.ts";
import type { Transaction } from "../ports.ts";
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
import { findNamedGrant } from "./find_named_grant.ts";
import type { Grant, Line, Undelivered } from "./grant.ts";
import type { ExchangeServices, IssuedTokens } from "./issue_tokens.ts";
import { findLine, withLine, withoutLine } from "./lines.ts";
import { refuseGrant, refuseTarget } from "./refuse_oauth.ts";
import type { Resource } from "./resource.ts";
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
 * Exchanges a code for the first tokens of its line, once: of any number at
 * the same time one wins. A wrong binding leaves the code as it is. The same
 * code again, with everything else right, means that somebody else has it too:
 * the line and all its tokens end (OAuth 2.1 §7.5.2).
 *
 * That a request is given the tokens is written before they are sent. What was
 * answered "try the same again" is given the same tokens for 30 s. Over a network
 * an exchange that broke off is gone on with as well, at any process. Decision
 * 0041 says why.
 *
 * @throws {Refused} `oauth_error`: `invalid_grant`, `invalid_target`
 */
export async function redeemCode(
  services: ExchangeServices,
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
  /** What the line says of it then; null where this request is given tokens. */
  note: Undelivered | null;
}

/** What a code that is presented as it has to be is for. */
interface Redeemed {
  grant: Grant;
  line: Line;
}

/** A code that is presented in one request. */
class CodeExchange {
  readonly #services: ExchangeServices;
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
    services: ExchangeServices,
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
    const redeemed = await this.#findIn(tx);
    if (redeemed === null) return null;
    const { grant, line } = redeemed;
    const before = this.#noteOn(line);
    if (line.refresh === null) {
      const made = before ?? this.#newNote();
      return this.#save(tx, redeemed, made, made);
    }
    if (before === null) {
      tx.grants.save(withoutLine(grant, line, "code_replay", this.#nowMs));
      return null;
    }
    const isGiven = before.repeatUntilMs === null;
    return this.#save(tx, redeemed, before, isGiven ? null : before);
  }

  /** By what somebody may be given the tokens of this line now. */
  #noteOn(line: Line): Undelivered | null {
    const kept = this.#promises.get(this.#hash);
    const promised = kept !== undefined && isOf(line, kept) ? kept : undefined;
    return inTime(promised, this.#nowMs) ??
      inTime(line.refresh?.undelivered, this.#nowMs);
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
        const redeemed = await this.#findIn(tx);
        if (redeemed === null || !isOf(redeemed.line, promised)) return;
        this.#save(tx, redeemed, promised, promised);
      });
    } catch (failure) {
      if (!(failure instanceof TemporaryFailure)) throw failure;
    }
  }

  /** What the code is for, if it is presented as it has to be. */
  async #findIn(tx: Transaction): Promise<Redeemed | null> {
    this.#code ??= await tx.peek(tx.authorizationCodes.ref(this.#hash));
    const code = this.#code;
    if (code === null || !isBound(code, this.#input)) return null;
    const grant = await findNamedGrant(tx, code.grantId);
    if (grant === null || grant.revokedAtMs !== null) return null;
    const line = findLine(grant, code.lineId ?? code.grantId);
    if (line === null) return null;
    const isLate = line.refresh === null && this.#nowMs >= code.goodUntilMs;
    return isLate ? null : { grant, line };
  }

  /** Null where the line gives no tokens any more. */
  #save(
    tx: Transaction,
    { grant, line }: Redeemed,
    { madeAtMs }: Undelivered,
    note: Undelivered | null,
  ): Step | null {
    if (mandateEnded(grant.mandate, this.#nowMs)) return null;
    const { keys } = this.#services;
    const { code, codeVerifier } = this.#input;
    const resources = this.#input.resources ?? line.resources;
    if (!isSubset(resources, line.resources)) refuseTarget();
    const extent = { scopes: grant.scopes, resources };
    const exchange = { code, codeVerifier, madeAtMs, extent };
    const issued = firstTokens(keys, { grant, line }, exchange);
    if (issued === null) return null;
    const refresh = lineWith(issued.line, note);
    tx.grants.save({
      ...withLine(grant, { ...line, refresh }),
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
