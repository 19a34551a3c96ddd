import { isoTime, startOfDayMs } from "../../domain/day.ts";
import type { AnswerContext } from "./answer_context.ts";
import { creativeProblem } from "./creative_text.ts";
import { type EngineCode, engineProblem } from "./engine_problem.ts";
import { seconds } from "./public_problem.ts";
import { methodNotAllowed } from "./public_surface.ts";
import { answeringBy, retryAfter } from "./refusal_answers.ts";

/** What the operator API under `{base_url}/operator/v1` answers. */
export const renderOperator = answeringBy("operator", {
  invalid_input: ({ message }, context) =>
    plain("VALIDATION_FAILED", message, context),
  bad_request: ({ message }, context) =>
    plain("VALIDATION_FAILED", message, context),
  operator_key_invalid: (_, context) =>
    engineProblem({
      code: "AUTH_REQUIRED",
      detail: "Cannot authorize the request: the operator key is not valid",
      headers: { "www-authenticate": 'Bearer realm="operator"' },
    }, context),
  scope_missing: (_, context) =>
    plain("FORBIDDEN", "Cannot answer the request: not permitted", context),
  not_found: ({ message }, context) => plain("NOT_FOUND", message, context),
  account_not_found: (_, context) =>
    plain("NOT_FOUND", "Cannot find the account", context),
  spotlight_not_found: (_, context) =>
    plain("NOT_FOUND", "Cannot find a Spotlight of that day", context),
  creative_not_found: ({ adId }, context) =>
    plain("NOT_FOUND", `Cannot find creative "${adId}"`, context),
  creative_refused: ({ why }, context) => creativeProblem(why, context),
  // EngineProblem has no code for it, so the answer is a public problem.
  method_not_allowed: methodNotAllowed,
  rate_limited: (refusal, context) =>
    engineProblem({
      code: "RATE_LIMITED",
      detail: "Cannot answer now: too many requests, retry in " +
        seconds(refusal.retryAfterS),
      headers: retryAfter(refusal),
    }, context),
  decision_outdated: (_, context) =>
    conflict(
      "Cannot decide about the account: what is decided about is not there, " +
        "or is another by now; read the account and name it in about",
      context,
    ),
  vat_id_taken: (_, context) =>
    conflict(
      "Cannot give the account its VAT id: another account holds it, " +
        "release it there first",
      context,
    ),
  auction_not_openable: ({ message }, context) => conflict(message, context),
  auction_not_closable: ({ day, phase }, context) =>
    conflict(
      `Cannot close the auction of ${day}: it must be OPEN, ` +
        `current phase is ${phase}`,
      context,
    ),
  auction_not_closed: ({ day, phase }, context) =>
    conflict(
      `Cannot settle the auction of ${day}: it must be CLOSED, ` +
        `current phase is ${phase}`,
      context,
    ),
  day_not_begun: ({ action, day }, context) =>
    conflict(
      `Cannot ${action} the auction of ${day}: the day has not begun, ` +
        `wait until ${isoTime(startOfDayMs(day))}`,
      context,
    ),
  not_refundable: ({ day }, context) =>
    conflict(
      `Cannot give back the money of ${day}: nobody paid for it, ` +
        "or a dispute took it",
      context,
    ),
  store_not_empty: (_, context) =>
    conflict("Cannot restore: the store must be empty", context),
});

function conflict(detail: string, context: AnswerContext): Response {
  return plain("CONFLICT", detail, context);
}

function plain(
  code: EngineCode,
  detail: string,
  context: AnswerContext,
): Response {
  return engineProblem({ code, detail }, context);
}
