import { unreachable } from "../../domain/invariant.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { AnswerContext } from "./answer_context.ts";
import { impossible, isBrowserRefusal } from "./impossible.ts";
import { seconds } from "./public_problem.ts";
import { retrievalFailure } from "./retrieval_failure.ts";

/**
 * What `/ask` refuses with: retrieval failures, also where a stream was asked
 * for (contract §5.4). The 429 of an empty bucket is the public problem of the
 * gate, which comes before anything that is answered here.
 */
export function renderRetrieval(
  refusal: Refusal,
  context: AnswerContext,
): Response {
  if (isBrowserRefusal(refusal)) return impossible("retrieval", refusal.code);
  switch (refusal.code) {
    case "invalid_input":
    case "bad_request":
      return failure(400, refusal.message, context);
    case "not_found":
      return failure(404, refusal.message, context);
    case "method_not_allowed":
      return methodNotAllowed(refusal.allow, context);
    case "rate_limited":
    case "idempotency_key_required":
    case "idempotency_conflict":
    case "idempotency_in_flight":
    case "bad_bid_body":
    case "token_missing":
    case "token_invalid":
    case "token_ambiguous":
    case "scope_missing":
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
    case "checkout_refused":
    case "operator_key_invalid":
    case "account_not_found":
    case "auction_not_openable":
    case "auction_not_closable":
    case "auction_not_closed":
    case "day_not_begun":
    case "not_refundable":
    case "store_not_empty":
      return impossible("retrieval", refusal.code);
    default:
      return unreachable(refusal);
  }
}

/** 413: "byte limit exceeded". */
export function retrievalTooLong(
  maxBytes: number,
  context: AnswerContext,
): Response {
  const message = `Cannot search: the body must be at most ${maxBytes} bytes`;
  return failure(413, message, context);
}

/** 503, with when to ask again. */
export function retrievalUnavailable(
  retryAfterS: number,
  context: AnswerContext,
): Response {
  return retrievalFailure({
    status: 503,
    message: `Cannot search now: retry in ${seconds(retryAfterS)}`,
    headers: { "retry-after": String(retryAfterS) },
  }, context);
}

/** 500, without an inner detail. */
export function retrievalFault(context: AnswerContext): Response {
  const { requestId } = context;
  const named = requestId === undefined
    ? ""
    : `: the fault is recorded as "${requestId}"`;
  return failure(500, `Cannot search${named}`, context);
}

function methodNotAllowed(
  allow: readonly string[],
  context: AnswerContext,
): Response {
  const methods = allow.join(", ");
  return retrievalFailure({
    status: 405,
    message: `Cannot use this method here: the address takes ${methods}`,
    headers: { allow: methods },
  }, context);
}

function failure(
  status: number,
  message: string,
  context: AnswerContext,
): Response {
  return retrievalFailure({ status, message }, context);
}
