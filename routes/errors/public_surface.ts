import type { RefusalOf } from "../../domain/refusal.ts";
import {
  type PublicProblem,
  publicProblem,
  seconds,
} from "./public_problem.ts";
import {
  type Answer,
  answeringBy,
  asSaid,
  keyRequired,
  methodNotAllowedText,
  type RefusalAnswers,
  retryAfter,
} from "./refusal_answers.ts";

/** What the public API on `{base_url}` refuses with (contract §12.2). */
export const PUBLIC_REFUSALS = {
  invalid_input: ({ message }) => invalid(message),
  bad_request: ({ message }) => invalid(message),
  idempotency_key_required: () =>
    problem({
      slug: "idempotency-key-required",
      status: 400,
      detail: keyRequired("visible"),
    }),
  not_found: ({ message }) => missing(message),
  spotlight_not_found: ({ day }) =>
    problem({
      slug: "spotlight-not-found",
      status: 404,
      detail: day === null
        ? "Cannot find a current Spotlight: none is shown now"
        : `Cannot find the Spotlight of ${day}: ` +
          "the day has no settled Spotlight; " +
          "GET /api/v1/spotlight has the one on show now",
    }),
  sandbox_job_not_found: ({ jobId }) =>
    missing(`Cannot find sandbox job "${jobId}": a job is kept 24 hours`),
  method_not_allowed: methodNotAllowed,
  rate_limited: (refusal) =>
    problem({
      slug: "rate-limited",
      status: 429,
      detail: "Cannot answer now: the bucket of this address is empty, " +
        `retry in ${seconds(refusal.retryAfterS)}`,
      headers: retryAfter(refusal),
    }),
} as const satisfies RefusalAnswers;

/** Answers a refusal as a public problem. */
export const renderPublic = answeringBy("public", PUBLIC_REFUSALS, asSaid);

/** 405 as a public problem, with `Allow`. */
export function methodNotAllowed(
  refusal: RefusalOf<"method_not_allowed">,
): Answer {
  const { text: detail, headers } = methodNotAllowedText(refusal);
  return problem({ slug: "method-not-allowed", status: 405, detail, headers });
}

function invalid(detail: string): Answer {
  return problem({ slug: "invalid-input", status: 400, detail });
}

function missing(detail: string): Answer {
  return problem({ slug: "not-found", status: 404, detail });
}

function problem(said: PublicProblem): Answer {
  return (context) => publicProblem(said, context);
}
