import { unreachable } from "../../domain/invariant.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { AnswerContext } from "./answer_context.ts";
import { impossible, isBrowserRefusal } from "./impossible.ts";
import { publicProblem, seconds } from "./public_problem.ts";

/**
 * What the public API on `{base_url}` refuses with (contract §12.2).
 */
export function renderPublic(
  refusal: Refusal,
  context: AnswerContext,
): Response {
  if (isBrowserRefusal(refusal)) return impossible("public", refusal.code);
  switch (refusal.code) {
    case "invalid_input":
    case "bad_request":
      return invalid(refusal.message, context);
    case "idempotency_key_required":
      return publicProblem({
        slug: "idempotency-key-required",
        status: 400,
        detail: "Cannot answer the request: the header Idempotency-Key " +
          "must be given, as 1 to 255 visible ASCII characters",
      }, context);
    case "not_found":
      return missing(refusal.message, context);
    case "spotlight_not_found":
      return publicProblem({
        slug: "spotlight-not-found",
        status: 404,
        detail: refusal.day === null
          ? "Cannot find a current Spotlight: none is shown now"
          : `Cannot find the Spotlight of ${refusal.day}: ` +
            "the day has no settled Spotlight",
      }, context);
    case "sandbox_job_not_found":
      return missing(
        `Cannot find sandbox job "${refusal.jobId}": ` +
          "a job is kept 24 hours",
        context,
      );
    case "method_not_allowed":
      return methodNotAllowed(refusal.allow, context);
    case "rate_limited":
      return rateLimited(refusal.retryAfterS, context);
    case "idempotency_conflict":
    case "idempotency_in_flight":
    case "bad_bid_body":
    case "token_missing":
    case "token_invalid":
    case "token_ambiguous":
    case "scope_missing":
    case "mandate_expired":
    case "mandate_exceeded":
    case "human_step_required":
    case "creative_not_found":
    case "payment_method_not_found":
    case "card_of_live_bid":
    case "payment_method_on_raise":
    case "auction_not_open":
    case "bid_not_higher":
    case "bid_not_found":
    case "payment_required":
    case "checkout_refused":
    case "creative_refused":
    case "operator_key_invalid":
    case "account_not_found":
    case "auction_not_openable":
    case "auction_not_closable":
    case "auction_not_closed":
    case "day_not_begun":
    case "not_refundable":
    case "store_not_empty":
      return impossible("public", refusal.code);
    default:
      return unreachable(refusal);
  }
}

/** 405 as a public problem, with `Allow`. */
export function methodNotAllowed(
  allow: readonly string[],
  context: AnswerContext,
): Response {
  const methods = allow.join(", ");
  return publicProblem({
    slug: "method-not-allowed",
    status: 405,
    detail: `Cannot use this method here: the address takes ${methods}`,
    headers: { allow: methods },
  }, context);
}

function invalid(detail: string, context: AnswerContext): Response {
  return publicProblem({ slug: "invalid-input", status: 400, detail }, context);
}

function missing(detail: string, context: AnswerContext): Response {
  return publicProblem({ slug: "not-found", status: 404, detail }, context);
}

function rateLimited(retryAfterS: number, context: AnswerContext): Response {
  return publicProblem({
    slug: "rate-limited",
    status: 429,
    detail: "Cannot answer now: the bucket of this address is empty, " +
      `retry in ${seconds(retryAfterS)}`,
    headers: { "retry-after": String(retryAfterS) },
  }, context);
}
