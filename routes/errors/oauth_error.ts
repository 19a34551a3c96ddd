import type { OauthErrorCode } from "../../domain/oauth/oauth_error.ts";
import {
  type AnswerContext,
  errorResponse,
  NO_STORE,
} from "./answer_context.ts";
import {
  answeringBy,
  methodNotAllowedText,
  retryAfter,
} from "./refusal_answers.ts";

/** What else than the errors of the protocol a client may be told. */
export type WireErrorCode =
  | OauthErrorCode
  | "temporarily_unavailable"
  | "server_error"
  | "slow_down";

/** The headers of what is for one client alone (RFC 6749 §5.1). */
export const NEVER_KEPT = { ...NO_STORE, pragma: "no-cache" };

/** An error of the token or registration endpoint. */
export interface WireError {
  status: number;
  error: WireErrorCode;
  /** ASCII without quotes and backslashes (RFC 6749 §5.2). */
  description: string;
  headers?: Readonly<Record<string, string>>;
}

/** An OAuth error: `error` and `error_description`, never kept. */
export function oauthErrorAnswer(
  { status, error, description, headers }: WireError,
  context: AnswerContext,
): Response {
  const body = { error, error_description: description };
  const all = { ...NEVER_KEPT, ...headers };
  return errorResponse(status, "application/json", body, context, all);
}

/** What `{auth_url}/oauth/token` and `/oauth/register` answer. */
export const renderOauth = answeringBy<WireError>("OAuth", {
  oauth_error: ({ error, description }) => {
    const status = error === "invalid_client" ? 401 : 400;
    return { status, error, description };
  },
  not_found: () => ({
    status: 404,
    error: "invalid_request",
    description: "There is no such endpoint",
  }),
  method_not_allowed: (refusal) => {
    const { headers } = methodNotAllowedText(refusal);
    return {
      status: 405,
      error: "invalid_request",
      description: `This endpoint takes ${headers.allow}`,
      headers,
    };
  },
  rate_limited: (refusal) => ({
    status: 429,
    error: "slow_down",
    description: `Too many requests, retry after ${refusal.retryAfterS} s`,
    headers: retryAfter(refusal),
  }),
}, oauthErrorAnswer);

/** 503: the outcome is not known, and the same request may be repeated. */
export function oauthUnavailable(
  retryAfterS: number,
  context: AnswerContext,
): Response {
  return oauthErrorAnswer({
    status: 503,
    error: "temporarily_unavailable",
    description: `Try the same request again after ${retryAfterS} s`,
    headers: { "retry-after": String(retryAfterS) },
  }, context);
}

/** 500, with nothing of what went wrong. */
export function oauthFailed(context: AnswerContext): Response {
  return oauthErrorAnswer({
    status: 500,
    error: "server_error",
    description: "The request could not be answered",
  }, context);
}
