/**
 * Who asks: the bearer token in front of the agent API, checkout and the
 * advertiser MCP server.
 *
 * @module
 */
import type { Bearer, Scope } from "../../domain/oauth/grant.ts";
import { noteGrantUse } from "../../domain/oauth/note_grant_use.ts";
import type { Resource } from "../../domain/oauth/resource.ts";
import { checkBearer } from "../../domain/oauth/tokens.ts";
import { type Refusal, refuse, Refused } from "../../domain/refusal.ts";
import { answerContextOf, type RouteServices } from "../context.ts";
import { renderPublic } from "../errors/public_surface.ts";
import type { Gate, RouteContext } from "../route_table.ts";
import { chargePublic } from "./rate_limit.ts";

/** RFC 6750 §2.1; the scheme in any case (RFC 9110 §11.1). */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** Whether a header names the scheme, alone or beside another. */
const NAMES_BEARER = /(^|,) *bearer( |,|$)/i;

/**
 * A gate: lets only live tokens for the resource through and leaves the grant,
 * with the token's scopes, on the context. A request refused with 401 costs 1
 * of the public bucket (contract §13.1); when that is empty the answer is its
 * 429, a public problem.
 */
export function requireBearer(
  parts: RouteServices,
  resource: Resource = "agent",
): Gate {
  return async function requireBearer(context) {
    try {
      const bearer = await bearerOf(parts, context, resource);
      context.set("bearer", bearer);
      context.env.trace.grantId = bearer.grant.id;
      await noteGrantUse(parts.services, bearer.grant);
      return null;
    } catch (thrown) {
      if (!isUnauthorized(thrown)) throw thrown;
      const limited = await chargeUnauthorized(parts, context);
      if (limited !== null) return limited;
      throw thrown;
    }
  };
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
  if (!grant.scopes.includes(scope)) refuse({ code: "scope_missing", scope });
  return grant;
}

/**
 * Reads the Authorization header. Another scheme is as good as none (RFC 6750
 * §3.1); several headers arrive as one, joined by commas.
 */
function bearerOf(
  { services }: RouteServices,
  context: RouteContext,
  resource: Resource,
): Promise<Bearer> {
  const header = context.req.raw.headers.get("authorization") ?? "";
  if (!NAMES_BEARER.test(header)) refuse({ code: "token_missing" });
  if (header.includes(",")) refuse({ code: "token_ambiguous" });
  const token = BEARER.exec(header)?.[1];
  if (token === undefined) refuse({ code: "token_invalid" });
  return checkBearer(services, token, resource);
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
