import { isoTime, startOfDayMs } from "../../domain/day.ts";
import { unreachable } from "../../domain/invariant.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { AnswerContext } from "./answer_context.ts";
import { creativeProblem } from "./creative_text.ts";
import { type EngineCode, engineProblem } from "./engine_problem.ts";
import { impossible, isBrowserRefusal } from "./impossible.ts";
import { seconds } from "./public_problem.ts";
import { methodNotAllowed } from "./public_surface.ts";

const OUTDATED = "Cannot decide about the account: what is decided about is " +
  "not there, or is another by now; read the account and name it in about";

const TAKEN = "Cannot give the account its VAT id: another account holds it, " +
  "release it there first";

/** What the operator API under `{base_url}/operator/v1` answers. */
export function renderOperator(
  refusal: Refusal,
  context: AnswerContext,
): Response {
  const plain = (code: EngineCode, detail: string) =>
    engineProblem({ code, detail }, context);
  if (refusal.code === "decision_outdated") return plain("CONFLICT", OUTDATED);
  if (refusal.code === "vat_id_taken") return plain("CONFLICT", TAKEN);
  if (isBrowserRefusal(refusal)) return impossible("operator", refusal.code);
  switch (refusal.code) {
    case "invalid_input":
    case "bad_request":
      return plain("VALIDATION_FAILED", refusal.message);
    case "operator_key_invalid":
      return keyInvalid(context);
    case "scope_missing":
      return plain("FORBIDDEN", "Cannot answer the request: not permitted");
    case "not_found":
      return plain("NOT_FOUND", refusal.message);
    case "account_not_found":
      return plain("NOT_FOUND", "Cannot find the account");
    case "spotlight_not_found":
      return plain("NOT_FOUND", "Cannot find a Spotlight of that day");
    case "creative_not_found":
      return plain("NOT_FOUND", `Cannot find creative "${refusal.adId}"`);
    case "creative_refused":
      return creativeProblem(refusal.why, context);
    case "method_not_allowed":
      // EngineProblem has no code for it, so the answer is a public problem.
      return methodNotAllowed(refusal.allow, context);
    case "rate_limited":
      return rateLimited(refusal.retryAfterS, context);
    case "auction_not_openable":
    case "auction_not_closable":
    case "auction_not_closed":
    case "day_not_begun":
    case "not_refundable":
      return plain("CONFLICT", conflictOf(refusal));
    case "store_not_empty":
      return plain("CONFLICT", "Cannot restore: the store must be empty");
    case "bad_bid_body":
    case "idempotency_key_required":
    case "idempotency_conflict":
    case "idempotency_in_flight":
    case "token_missing":
    case "token_invalid":
    case "token_ambiguous":
    case "sandbox_job_not_found":
    case "mandate_expired":
    case "mandate_exceeded":
    case "human_step_required":
    case "payment_method_not_found":
    case "card_of_live_bid":
    case "payment_method_on_raise":
    case "auction_not_open":
    case "bid_not_higher":
    case "bid_not_found":
    case "payment_required":
    case "checkout_refused":
      return impossible("operator", refusal.code);
    default:
      return unreachable(refusal);
  }
}

type Conflict = Extract<
  Refusal,
  {
    code:
      | "auction_not_openable"
      | "auction_not_closable"
      | "auction_not_closed"
      | "day_not_begun"
      | "not_refundable";
  }
>;

/** What is not as the operator's order needs it. */
function conflictOf(refusal: Conflict): string {
  switch (refusal.code) {
    case "auction_not_openable":
      return refusal.message;
    case "auction_not_closable":
      return `Cannot close the auction of ${refusal.day}: it must be OPEN, ` +
        `current phase is ${refusal.phase}`;
    case "auction_not_closed":
      return `Cannot settle the auction of ${refusal.day}: it must be ` +
        `CLOSED, current phase is ${refusal.phase}`;
    case "day_not_begun":
      return `Cannot ${refusal.action} the auction of ${refusal.day}: the ` +
        `day has not begun, wait until ${isoTime(startOfDayMs(refusal.day))}`;
    case "not_refundable":
      return `Cannot give back the money of ${refusal.day}: nobody paid for ` +
        "it, or a dispute took it";
  }
}

function keyInvalid(context: AnswerContext): Response {
  return engineProblem({
    code: "AUTH_REQUIRED",
    detail: "Cannot authorize the request: the operator key is not valid",
    headers: { "www-authenticate": 'Bearer realm="operator"' },
  }, context);
}

function rateLimited(retryAfterS: number, context: AnswerContext): Response {
  return engineProblem({
    code: "RATE_LIMITED",
    detail: `Cannot answer now: too many requests, retry in ${
      seconds(retryAfterS)
    }`,
    headers: { "retry-after": String(retryAfterS) },
  }, context);
}
