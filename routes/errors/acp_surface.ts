/**
 * What agentic checkout on `{base_url}/checkout_sessions` answers instead of a
 * success: the protocol's errors, but bearer errors as everywhere else.
 *
 * @module
 */
import {
  acpErrorOf,
  invalidRequest,
  unavailable,
} from "../../domain/checkout/acp_error.ts";
import type { TemporaryFailure } from "../../domain/failure.ts";
import { unreachable } from "../../domain/invariant.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { SurfaceAnswers } from "../route_table.ts";
import { acpResponse } from "./acp_response.ts";
import { scopeMissing } from "./agent_surface.ts";
import { type AnswerContext, errorResponse } from "./answer_context.ts";
import {
  bearerAmbiguous,
  bearerInvalid,
  bearerMissing,
} from "./bearer_error.ts";
import { impossible, isBrowserRefusal } from "./impossible.ts";
import { seconds, why } from "./public_problem.ts";

/** Errors of the checkout, in the protocol's shape. */
export const ACP_ANSWERS: SurfaceAnswers = {
  refused: renderAcp,
  failed: acpFailed,
  unavailable: acpUnavailable,
};

type RefusalOf<Code extends Refusal["code"]> = Extract<
  Refusal,
  { code: Code }
>;

/**
 * What the checkout refuses: flat bodies with their headers (contract §6.7).
 */
export function renderAcp(refusal: Refusal, context: AnswerContext): Response {
  if (isBrowserRefusal(refusal)) return impossible("checkout", refusal.code);
  switch (refusal.code) {
    case "checkout_refused":
      return renderCheckout(refusal, context);
    case "token_missing":
      return bearerMissing(context, "site");
    case "token_invalid":
      return bearerInvalid(context, "site");
    case "token_ambiguous":
      return bearerAmbiguous(context, "site");
    case "scope_missing":
      return scopeMissing(refusal.scope, context, "site");
    case "method_not_allowed":
      return methodNotAllowed(refusal.allow, context);
    case "rate_limited":
      return rateLimited(refusal.retryAfterS, context);
    case "not_found":
      return plain(404, "not_found", refusal.message, context);
    case "bad_request":
      return plain(400, "invalid_body", refusal.message, context);
    case "idempotency_key_required":
    case "idempotency_conflict":
    case "idempotency_in_flight":
      return keyError(refusal.code, context);
    case "invalid_input":
    case "bad_bid_body":
    case "spotlight_not_found":
    case "sandbox_job_not_found":
    case "mandate_expired":
    case "mandate_exceeded":
    case "human_step_required":
    case "creative_not_found":
    case "creative_refused":
    case "payment_method_not_found":
    case "card_of_live_bid":
    case "payment_method_on_raise":
    case "auction_not_open":
    case "bid_not_higher":
    case "bid_not_found":
    case "payment_required":
    case "operator_key_invalid":
    case "account_not_found":
    case "auction_not_openable":
    case "auction_not_closable":
    case "auction_not_closed":
    case "day_not_begun":
    case "not_refundable":
    case "store_not_empty":
      return impossible("checkout", refusal.code);
    default:
      return unreachable(refusal);
  }
}

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

function keyError(
  code:
    | "idempotency_key_required"
    | "idempotency_conflict"
    | "idempotency_in_flight",
  context: AnswerContext,
): Response {
  switch (code) {
    case "idempotency_key_required":
      return plain(
        400,
        code,
        "Cannot answer the request: the header Idempotency-Key must be " +
          "given, as 1 to 255 printable ASCII characters",
        context,
      );
    case "idempotency_conflict":
      return plain(
        409,
        code,
        "Cannot repeat the request: its Idempotency-Key belongs to another " +
          "request, send a new key",
        context,
      );
    case "idempotency_in_flight": {
      const message = "Cannot repeat the request yet: the first one with its " +
        "Idempotency-Key is not finished, retry in 1 second";
      const error = invalidRequest(409, code, message);
      return acpResponse({ ...error, retryAfterS: 1 }, context);
    }
    default:
      return unreachable(code);
  }
}

function methodNotAllowed(
  allow: readonly string[],
  context: AnswerContext,
): Response {
  const methods = allow.join(", ");
  const message = `Cannot use this method here: the address takes ${methods}`;
  const error = invalidRequest(405, "method_not_allowed", message);
  return acpResponse(error, context, { allow: methods });
}

function rateLimited(retryAfterS: number, context: AnswerContext): Response {
  const message = "Cannot answer now: the bucket of the grant is empty, " +
    `retry in ${seconds(retryAfterS)}`;
  return acpResponse(
    unavailable(429, "rate_limited", message, retryAfterS),
    context,
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
