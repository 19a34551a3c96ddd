/**
 * What agentic checkout on `{base_url}/checkout_sessions` answers instead of a
 * success: the protocol's errors, but bearer errors as everywhere else.
 *
 * @module
 */
import {
  type AcpError,
  acpErrorOf,
  invalidRequest,
  unavailable,
} from "../../domain/checkout/acp_error.ts";
import type { TemporaryFailure } from "../../domain/failure.ts";
import type { RefusalOf } from "../../domain/refusal.ts";
import type { SurfaceAnswers } from "../route_table.ts";
import { scopeMissing } from "./agent_surface.ts";
import { type AnswerContext, errorResponse } from "./answer_context.ts";
import {
  bearerAmbiguous,
  bearerInvalid,
  bearerMissing,
} from "./bearer_error.ts";
import { seconds, why } from "./public_problem.ts";
import {
  answeringBy,
  emptyBucketText,
  methodNotAllowedText,
  retryAfter,
} from "./refusal_answers.ts";

/**
 * What the checkout refuses: flat bodies with their headers (contract §6.7).
 */
export const renderAcp = answeringBy("checkout", {
  checkout_refused: renderCheckout,
  token_missing: (_, context) => bearerMissing(context, "site"),
  token_invalid: (_, context) => bearerInvalid(context, "site"),
  token_ambiguous: (_, context) => bearerAmbiguous(context, "site"),
  scope_missing: ({ scope }, context) => scopeMissing(scope, context, "site"),
  method_not_allowed: (refusal, context) => {
    const { text, headers } = methodNotAllowedText(refusal);
    const error = invalidRequest(405, "method_not_allowed", text);
    return acpResponse(error, context, headers);
  },
  rate_limited: (refusal, context) => {
    const message = emptyBucketText(refusal);
    const { retryAfterS } = refusal;
    const error = unavailable(429, "rate_limited", message, retryAfterS);
    return acpResponse(error, context);
  },
  not_found: ({ message }, context) =>
    plain(404, "not_found", message, context),
  bad_request: ({ message }, context) =>
    plain(400, "invalid_body", message, context),
  idempotency_key_required: ({ code }, context) =>
    plain(
      400,
      code,
      "Cannot answer the request: the header Idempotency-Key must be " +
        "given, as 1 to 255 printable ASCII characters",
      context,
    ),
  idempotency_conflict: ({ code }, context) =>
    plain(
      409,
      code,
      "Cannot repeat the request: its Idempotency-Key belongs to another " +
        "request, send a new key",
      context,
    ),
  idempotency_in_flight: ({ code }, context) => {
    const message = "Cannot repeat the request yet: the first one with its " +
      "Idempotency-Key is not finished, retry in 1 second";
    const error = invalidRequest(409, code, message);
    return acpResponse({ ...error, retryAfterS: 1 }, context);
  },
});

/** Errors of the checkout, in the protocol's shape. */
export const ACP_ANSWERS: SurfaceAnswers = {
  refused: renderAcp,
  failed: acpFailed,
  unavailable: acpUnavailable,
};

/** Versions that are spoken are named in body and header (contract §6.1). */
function renderCheckout(
  { why }: RefusalOf<"checkout_refused">,
  context: AnswerContext,
): Response {
  const error = acpErrorOf(why);
  const { supported_versions: versions } = error.body;
  return acpResponse(
    error,
    context,
    versions === undefined ? {} : { "supported-versions": versions.join(", ") },
  );
}

function plain(
  status: number,
  code: string,
  message: string,
  context: AnswerContext,
): Response {
  return acpResponse(invalidRequest(status, code, message), context);
}

/**
 * An error of agentic checkout: a flat object, JSON and no problem, with
 * `Retry-After` where the same request may be repeated.
 */
function acpResponse(
  { status, body, retryAfterS }: AcpError,
  context: AnswerContext,
  own: Readonly<Record<string, string>> = {},
): Response {
  const headers = retryAfterS === undefined
    ? own
    : { ...own, ...retryAfter({ retryAfterS }) };
  return errorResponse(status, "application/json", body, context, headers);
}

/** 500, without a word about what broke. */
function acpFailed(context: AnswerContext): Response {
  const named = context.requestId === undefined
    ? ""
    : `: the fault is recorded as "${context.requestId}"`;
  const message = `Cannot answer the request${named}`;
  const body = { type: "processing_error", code: "internal_error", message };
  return errorResponse(500, "application/json", body, context);
}

/** The 503 that asks for the same request again (contract §11.2). */
function acpUnavailable(
  retryAfterS: number,
  context: AnswerContext,
  failure: TemporaryFailure,
): Response {
  const message = `Cannot complete the request now: ${why(failure)}retry in ${
    seconds(retryAfterS)
  } with the same body and Idempotency-Key, start no other payment`;
  return acpResponse(
    unavailable(503, "service_unavailable", message, retryAfterS),
    context,
  );
}
