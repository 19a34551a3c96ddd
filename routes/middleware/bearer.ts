/**
 * Who asks: the bearer token in front of the agent API, checkout and the
 * advertiser MCP server.
 *
 * @module
 */
import { evictOldest } from "../../domain/evict_oldest.ts";
import { readAccessToken } from "../../domain/oauth/access_token.ts";
import type { Bearer, BearerGrant, Scope } from "../../domain/oauth/grant.ts";
import { noteGrantUse } from "../../domain/oauth/note_grant_use.ts";
import type { Resource } from "../../domain/oauth/resource.ts";
import { isSubset } from "../../domain/oauth/scope_list.ts";
import { checkBearer, type CheckedGrant } from "../../domain/oauth/tokens.ts";
import type { Verdict } from "../../domain/rate_limit/limiter.ts";
import { type Refusal, refuse, Refused } from "../../domain/refusal.ts";
import { beginAdmission } from "../admission.ts";
import { passAfterBody } from "../http/authority.ts";
import { answerContextOf, type RouteServices } from "../context.ts";
import { renderPublic } from "../errors/public_surface.ts";
import type { Gate, RouteContext } from "../route_table.ts";
import { type BeginDraw, chargePublic, widestNetworkOf } from "./rate_limit.ts";
import { lookUpTurn } from "./look_up_turn.ts";
import { useTurn } from "./use_turn.ts";

/** RFC 6750 §2.1; the scheme in any case (RFC 9110 §11.1). */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** Whether a header names the scheme, alone or beside another. */
const NAMES_BEARER = /(^|,) *bearer( |,|$)/i;

/**
 * A gate: lets only live tokens for the resource through and leaves the grant,
 * with the token's scopes, on the context. A request refused with 401 costs 1
 * of the public bucket (contract §13.1); when that is empty the answer is its
 * 429, a public problem.
 *
 * A token that was good here before is checked while the request goes on, if
 * there is a bucket to ask: what has to wait for that is in `admission.ts`.
 *
 * @param beginDraw asks the grant's bucket while the grant is read
 */
export function requireBearer(
  parts: RouteServices,
  resource: Resource = "agent",
  beginDraw: BeginDraw | null = null,
): Gate {
  const proven = new ProvenTokens();
  const { services } = parts;

  async function check(
    context: RouteContext,
    shown: Shown | null,
  ): Promise<void> {
    const token = shown?.token ?? tokenOf(context);
    if (shown !== null) beginDraw?.(context, shown.bearer.grant.id);
    try {
      const { grant } = shown === null
        ? await checkInTurn(context, parts, token, resource)
        : await checkBearer(services, token, resource);
      if (shown !== null) refuseOther(shown.bearer.grant, grant);
      const isKnown = shown !== null && hasScopesOf(shown.bearer.grant, grant);
      const bearer = isKnown ? shown.bearer : { grant: withoutState(grant) };
      // Others than it began with have the handler begin again.
      context.set("bearer", bearer);
      context.env.trace.grantId = grant.id;
      if (shown === null) beginDraw?.(context, grant.id);
      proven.add(token, bearer);
      const inTurn = useTurn(parts, "grant", grant.id);
      // It would get in the way of what the handler writes.
      context.set("afterwards", () => noteGrantUse(services, grant, inTurn));
    } catch (thrown) {
      if (isUnauthorized(thrown)) proven.forget(token);
      throw thrown;
    }
  }

  async function admit(
    context: RouteContext,
    checked: Promise<void>,
  ): Promise<Response | null> {
    try {
      await checked;
      return null;
    } catch (thrown) {
      if (!isUnauthorized(thrown)) throw thrown;
      const limited = await chargeUnauthorized(parts, context);
      if (limited !== null) return limited;
      throw thrown;
    }
  }

  /** Its bucket was asked, and its use will be noted, when it began. */
  async function checkAgain(context: RouteContext): Promise<void> {
    const token = tokenOf(context);
    const { grant } = await checkBearer(services, token, resource);
    const { grant: known } = context.get("bearer");
    refuseOther(known, grant);
    if (!hasScopesOf(known, grant)) refuse({ code: "token_invalid" });
  }

  return function requireBearer(context) {
    context.set("network", widestNetworkOf(context, parts));
    passAfterBody(context, () => admit(context, checkAgain(context)));
    const shown = proven.shownIn(context.req.raw.headers);
    const admitted = admit(context, check(context, shown));
    if (shown === null || isRefused(context.get("grantDraw"))) return admitted;
    context.set("bearer", shown.bearer);
    beginAdmission(context, admitted);
    return null;
  };
}

/** Whether a bucket is known to be empty, or there is none. */
function isRefused(draw: Promise<Verdict> | Verdict | undefined): boolean {
  if (draw instanceof Promise) return false;
  return draw === undefined || !draw.admitted;
}

/** What hardly changes of a grant: its state is read for each request. */
function withoutState(
  { id, accountId, clientId, scopes, resources, lineId }: BearerGrant,
): BearerGrant {
  return { id, accountId, clientId, scopes, resources, lineId };
}

/**
 * Stops what was begun for another grant, whose bucket was asked: the grant was
 * merged meanwhile.
 *
 * @throws {Refused} `token_invalid`
 */
function refuseOther(known: BearerGrant, present: BearerGrant): void {
  if (known.id !== present.id) refuse({ code: "token_invalid" });
}

/** Whether the user has left the scopes of the token as they were. */
function hasScopesOf(known: BearerGrant, present: BearerGrant): boolean {
  return isSubset(known.scopes, present.scopes) &&
    isSubset(present.scopes, known.scopes);
}

/**
 * The grant behind the request, which must hold the scope.
 *
 * @throws {Refused} `scope_missing`
 */
export function grantWith(
  context: RouteContext,
  scope: Scope,
): Bearer["grant"] {
  const { grant } = context.get("bearer");
  if (!grant.scopes.includes(scope)) {
    refuse({ code: "scope_missing", scopes: [scope] });
  }
  return grant;
}

/**
 * Reads the Authorization header. Another scheme is as good as none (RFC 6750
 * §3.1); several headers arrive as one, joined by commas.
 */
function tokenOf(context: RouteContext): string {
  const header = context.req.raw.headers.get("authorization") ?? "";
  if (!NAMES_BEARER.test(header)) refuse({ code: "token_missing" });
  if (header.includes(",")) refuse({ code: "token_ambiguous" });
  const token = BEARER.exec(header)?.[1];
  if (token === undefined) refuse({ code: "token_invalid" });
  return token;
}

/** Checks a token that may be made up. */
function checkInTurn(
  context: RouteContext,
  parts: RouteServices,
  token: string,
  resource: Resource,
): Promise<{ grant: CheckedGrant }> {
  const named = readAccessToken(token) ?? refuse({ code: "token_invalid" });
  const inTurn = lookUpTurn(context, parts, named.grantId);
  return inTurn(() => checkBearer(parts.services, token, resource));
}

/** A token that was good here before, and what it told then. */
interface Shown {
  token: string;
  bearer: Bearer;
}

/** Tokens that are remembered as proven: about 5 MB. */
const MAX_PROVEN = 10_000;

/**
 * What tokens tell whose proof was good here. Whether such a token is still good
 * is read for each request; meanwhile its grant's bucket may be asked, which
 * nobody can have charged with a token that was made up.
 */
class ProvenTokens {
  readonly #bearers = new Map<string, Bearer>();

  shownIn(headers: Headers): Shown | null {
    const token = BEARER.exec(headers.get("authorization") ?? "")?.[1] ?? "";
    const bearer = this.#bearers.get(token);
    return bearer === undefined ? null : { token, bearer };
  }

  add(token: string, bearer: Bearer): void {
    if (this.#bearers.get(token) === bearer) return;
    this.#bearers.set(token, bearer);
    evictOldest(this.#bearers, MAX_PROVEN);
  }

  forget(token: string): void {
    this.#bearers.delete(token);
  }
}

function isUnauthorized(thrown: unknown): thrown is Refused {
  if (!(thrown instanceof Refused)) return false;
  const codes: readonly Refusal["code"][] = [
    "token_missing",
    "token_invalid",
    "token_ambiguous",
  ];
  return codes.includes(thrown.refusal.code);
}

/** Takes the token; the 429 to answer with when there is none. */
async function chargeUnauthorized(
  parts: RouteServices,
  context: RouteContext,
): Promise<Response | null> {
  try {
    await chargePublic(context, parts);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    const { settings } = parts.services;
    return renderPublic(thrown.refusal, answerContextOf(context, settings));
  }
}
