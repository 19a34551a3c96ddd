import { isoTime, startOfDayMs } from "../../domain/day.ts";
import { creativeProblem } from "./creative_text.ts";
import { codedProblem } from "./coded_problem.ts";
import type { ProblemSlug } from "./problem_types.ts";
import { seconds } from "./public_problem.ts";
import { methodNotAllowed } from "./public_surface.ts";
import {
  type Answer,
  answeringBy,
  asSaid,
  retryAfter,
} from "./refusal_answers.ts";

/** Said where our clock alone would allow it. */
const CLOCKS = {
  own: "",
  processor: " (by the clock of the payment processor: this service's may be " +
    "ahead, or the processor does not answer)",
} as const;

/** What the operator API under `{base_url}/operator/v1` answers. */
export const renderOperator = answeringBy("operator", {
  invalid_input: ({ message }) => codedProblem("VALIDATION_FAILED", message),
  bad_request: ({ message }) => codedProblem("VALIDATION_FAILED", message),
  operator_key_invalid: () =>
    codedProblem(
      "AUTH_REQUIRED",
      "Cannot authorize the request: the operator key is not valid",
      { headers: { "www-authenticate": 'Bearer realm="operator"' } },
    ),
  scope_missing: () =>
    codedProblem(
      "FORBIDDEN",
      "Cannot answer the request: the key is one to read with, not to act",
    ),
  not_found: ({ message }) => codedProblem("NOT_FOUND", message),
  account_not_found: () => codedProblem("NOT_FOUND", "Cannot find the account"),
  spotlight_not_found: () =>
    codedProblem("NOT_FOUND", "Cannot find a Spotlight of that day"),
  creative_not_found: ({ adId }) =>
    codedProblem("NOT_FOUND", `Cannot find creative "${adId}"`),
  creative_refused: ({ why }) => creativeProblem(why),
  // EngineProblem has no code for it, so the answer is a public problem.
  method_not_allowed: methodNotAllowed,
  rate_limited: (refusal) =>
    codedProblem(
      "RATE_LIMITED",
      "Cannot answer now: too many requests, retry in " +
        seconds(refusal.retryAfterS),
      { headers: retryAfter(refusal) },
    ),
  decision_outdated: () =>
    conflict(
      "decision-outdated",
      "Cannot decide about the account: what is decided about is not there, " +
        "or is another by now; read the account and name it in about",
    ),
  vat_id_taken: () =>
    conflict(
      "vat-id-taken",
      "Cannot give the account its VAT id: another account holds it, " +
        "release it there first",
    ),
  auction_not_openable: ({ message }) =>
    conflict("auction-not-openable", message),
  auction_not_closable: ({ day, phase }) =>
    conflict(
      "auction-not-closable",
      `Cannot close the auction of ${day}: it must be OPEN, ` +
        `current phase is ${phase}`,
    ),
  auction_not_closed: ({ day, phase, by }) =>
    conflict(
      "auction-not-closed",
      `Cannot settle the auction of ${day}: it must be CLOSED, ` +
        `current phase is ${phase}${CLOCKS[by]}`,
    ),
  day_not_begun: ({ action, day, by }) =>
    conflict(
      "day-not-begun",
      `Cannot ${action} the auction of ${day}: the day has not begun, ` +
        `wait until ${isoTime(startOfDayMs(day))}${CLOCKS[by]}`,
    ),
  day_before_unsettled: ({ day, before, closesAtMs }) =>
    conflict(
      "day-before-unsettled",
      `Cannot close the auction of ${day} before its hour: ${before} is not ` +
        "settled, and its winner's time on show would end. Settle that day " +
        `first, or let the auction close at ${isoTime(closesAtMs)}`,
    ),
  not_refundable: ({ day }) =>
    conflict(
      "not-refundable",
      `Cannot give back the money of ${day}: nobody paid for it, ` +
        "or a dispute took it",
    ),
  second_operator_needed: ({ day, askedBy, expiresAtMs }) =>
    conflict(
      "second-operator-needed",
      `Cannot give back the money of ${day}: ${askedBy} asked for it, another ` +
        `operator has to confirm it until ${isoTime(expiresAtMs)}`,
    ),
  store_not_empty: () =>
    conflict("store-not-empty", "Cannot restore: the store must be empty"),
}, asSaid);

function conflict(slug: ProblemSlug, detail: string): Answer {
  return codedProblem("CONFLICT", detail, { slug });
}
