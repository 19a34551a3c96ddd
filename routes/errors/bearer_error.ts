import {
  type Resource,
  resourceAddress,
  resourceMetadataUrl,
} from "../../domain/oauth/resource.ts";
import { FIRST_SCOPES } from "../../domain/oauth/scope_list.ts";
import {
  type AnswerContext,
  errorHeaders,
  errorResponse,
} from "./answer_context.ts";
import type { Answer, RefusalAnswers } from "./refusal_answers.ts";
import { respondEmpty } from "../http/respond.ts";

/** What a challenge says of a token that was sent (RFC 6750 §3.1). */
export interface BearerFault {
  error: "invalid_request" | "invalid_token" | "insufficient_scope";
  description?: string;
  scope?: string;
}

/** One text for every cause: unknown, expired, revoked. */
const INVALID =
  "Cannot authorize the request: the access token is not valid, refresh it; " +
  "where that is refused, ask the user to connect this agent again";
const AMBIGUOUS =
  "Cannot authorize the request: it must carry one Authorization";

/**
 * The value of WWW-Authenticate: where the document of the resource is and,
 * where a token was sent, what is wrong with it (RFC 6750 §3, RFC 9728 §5.1).
 */
export function bearerChallenge(
  { settings }: Pick<AnswerContext, "settings">,
  resource: Resource,
  fault?: BearerFault,
): string {
  const parts = [
    `resource_metadata="${resourceMetadataUrl(settings, resource)}"`,
  ];
  if (fault !== undefined) parts.push(`error="${fault.error}"`);
  if (fault?.description !== undefined) {
    parts.push(`error_description="${fault.description}"`);
  }
  const scope = scopeOf(fault, resource);
  if (scope !== undefined) parts.push(`scope="${scope}"`);
  return `Bearer ${parts.join(", ")}`;
}

/** What to ask for: what is missing, or with no good token the first scopes. */
function scopeOf(
  fault: BearerFault | undefined,
  resource: Resource,
): string | undefined {
  const isFirst = fault === undefined || fault.error === "invalid_token";
  return isFirst ? FIRST_SCOPES[resource].join(" ") : fault.scope;
}

/** What the surface of a resource answers without a good token. */
export function bearerRefusals(resource: Resource): RefusalAnswers {
  return {
    token_missing: () => bearerMissing(resource),
    token_invalid: ({ resources }) => (context) =>
      bearerInvalid(resource, forOther(context, resource, resources))(context),
    token_ambiguous: () => bearerAmbiguous(resource),
  };
}

/**
 * 401 without a body, where no Authorization was sent (contract §9.1).
 */
function bearerMissing(resource: Resource): Answer {
  return (context) =>
    respondEmpty(
      401,
      errorHeaders(context, {
        "www-authenticate": bearerChallenge(context, resource),
      }),
    );
}

/**
 * 401 `invalid_token` (OAuthBearerError). It never tells whether the token is
 * unknown, expired or revoked.
 */
function bearerInvalid(resource: Resource, description = INVALID): Answer {
  return bearerFault(401, resource, { error: "invalid_token", description });
}

/**
 * What the holder of a good token for something else is told: what it is for,
 * what is wanted here, and how to come by that (RFC 8707).
 */
function forOther(
  { settings }: AnswerContext,
  wanted: Resource,
  resources?: readonly Resource[],
): string | undefined {
  if (resources === undefined) return undefined;
  const address = (resource: Resource) => resourceAddress(settings, resource);
  const held = resources.map(address).join(" and ");
  const needed = address(wanted);
  return `Cannot authorize the request: the access token is for ${held}, and ` +
    `here one for ${needed} is needed: refresh it with resource=${needed}, ` +
    "and where that is invalid_target authorize again with " +
    `resource=${needed}, beside others that you need`;
}

/** 400 `invalid_request`: which token counts would be a guess. */
function bearerAmbiguous(resource: Resource): Answer {
  const fault = { error: "invalid_request", description: AMBIGUOUS } as const;
  return bearerFault(400, resource, fault);
}

function bearerFault(
  status: number,
  resource: Resource,
  fault: Required<Omit<BearerFault, "scope">>,
): Answer {
  const { error, description } = fault;
  const body = { error, error_description: description };
  return (context) =>
    errorResponse(status, "application/json", body, context, {
      "www-authenticate": bearerChallenge(context, resource, fault),
    });
}
