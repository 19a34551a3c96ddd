import {
  type AnswerContext,
  errorHeaders,
  errorResponse,
} from "./answer_context.ts";

/** The errors of RFC 6750 §3.1 that are used. */
export type BearerErrorCode = "invalid_token" | "insufficient_scope";

/**
 * The value of WWW-Authenticate: where the protected-resource document is and,
 * where a token was sent, what is wrong with it (RFC 6750 §3, RFC 9728 §5.1).
 */
export function bearerChallenge(
  context: Pick<AnswerContext, "settings">,
  parameters?: { error: BearerErrorCode; scope?: string },
): string {
  const document =
    `${context.settings.authUrl}/.well-known/oauth-protected-resource`;
  const parts = [`resource_metadata="${document}"`];
  if (parameters !== undefined) parts.push(`error="${parameters.error}"`);
  if (parameters?.scope !== undefined) {
    parts.push(`scope="${parameters.scope}"`);
  }
  return `Bearer ${parts.join(", ")}`;
}

/** 401 without a body: "a missing Authorization header yields an empty body". */
export function bearerMissing(context: AnswerContext): Response {
  return new Response(null, {
    status: 401,
    headers: errorHeaders(context, {
      "www-authenticate": bearerChallenge(context),
    }),
  });
}

/**
 * 401 `invalid_token` (OAuthBearerError). It never tells whether the token is
 * unknown, expired or revoked.
 */
export function bearerInvalid(context: AnswerContext): Response {
  const body = {
    error: "invalid_token",
    error_description:
      "Cannot authorize the request: the access token is not valid",
  };
  return errorResponse(401, "application/json", body, context, {
    "www-authenticate": bearerChallenge(context, { error: "invalid_token" }),
  });
}
