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
import { bearerRefusals } from "./bearer_error.ts";
import { recordedAs, seconds, why } from "./public_problem.ts";
import {
  type Answer,
  answeringBy,
  asSaid,
  emptyBucketText,
  keyConflict,
  keyInFlight,
  keyRequired,
  methodNotAllowedText,
  retryAfter,
} from "./refusal_answers.ts";

/**
 * What the checkout refuses: flat bodies with their headers (contract §6.7).
 */
export const renderAcp = answeringBy("checkout", {
  ...bearerRefusals("site"),
  scope_missing: ({ scopes }) => scopeMissing(scopes, "site"),
  checkout_refused: renderCheckout,
  method_not_allowed: (refusal) => {
    const { text, headers } = methodNotAllowedText(refusal);
    const error = invalidRequest(405, "method_not_allowed", text);
    return acpAnswer(error, headers);
  },
  rate_limited: (refusal) => {
    const message = emptyBucketText(refusal);
    const { retryAfterS } = refusal;
    return acpAnswer(unavailable(429, "rate_limited", message, retryAfterS));
  },
  not_found: ({ message }) => plain(404, "not_found", message),
  bad_request: ({ message }) => plain(400, "invalid_body", message),
  idempotency_key_required: ({ code }) =>
    plain(400, code, keyRequired("printable")),
  idempotency_conflict: ({ code }) => plain(409, code, keyConflict()),
  idempotency_in_flight: ({ code }) =>
    acpAnswer({ ...invalidRequest(409, code, keyInFlight()), retryAfterS: 1 }),
}, asSaid);

/** Errors of the checkout, in the protocol's shape. */
export const ACP_ANSWERS: SurfaceAnswers = {
  refused: renderAcp,
  failed: acpFailed,
  unavailable: acpUnavailable,
};

/** Versions that are spoken are named in body and header (contract §6.1). */
function renderCheckout({ why }: RefusalOf<"checkout_refused">): Answer {
  const error = acpErrorOf(why);
  const versions = error.body.supported_versions?.join(", ");
  return acpAnswer(
    error,
    versions === undefined ? {} : { "supported-versions": versions },
  );
}

function plain(status: number, code: string, message: string): Answer {
  return acpAnswer(invalidRequest(status, code, message));
}

/**
 * An error of agentic checkout: a flat object, JSON and no problem, with
 * `Retry-After` where the same request may be repeated.
 */
function acpAnswer(
  { status, body, retryAfterS }: AcpError,
  own: Readonly<Record<string, string>> = {},
): Answer {
  const headers = retryAfterS === undefined
    ? own
    : { ...own, ...retryAfter({ retryAfterS }) };
  return (context) =>
    errorResponse(status, "application/json", body, context, headers);
}

/** 500, without a word about what broke. */
function acpFailed(context: AnswerContext): Response {
  const message = `Cannot answer the request${recordedAs(context)}`;
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
  const error = unavailable(503, "service_unavailable", message, retryAfterS);
  return acpAnswer(error)(context);
}
