import type { RefusalOf } from "../../domain/refusal.ts";
import type { AnswerContext } from "./answer_context.ts";
import { publicProblem, seconds } from "./public_problem.ts";
import {
  answeringBy,
  methodNotAllowedText,
  type RefusalAnswers,
  retryAfter,
} from "./refusal_answers.ts";

/** What the public API on `{base_url}` refuses with (contract §12.2). */
export const PUBLIC_REFUSALS = {
  invalid_input: ({ message }, context) => invalid(message, context),
  bad_request: ({ message }, context) => invalid(message, context),
  idempotency_key_required: (_, context) =>
    publicProblem({
      slug: "idempotency-key-required",
      status: 400,
      detail: "Cannot answer the request: the header Idempotency-Key " +
        "must be given, as 1 to 255 visible ASCII characters",
    }, context),
  not_found: ({ message }, context) => missing(message, context),
  spotlight_not_found: ({ day }, context) =>
    publicProblem({
      slug: "spotlight-not-found",
      status: 404,
      detail: day === null
        ? "Cannot find a current Spotlight: none is shown now"
        : `Cannot find the Spotlight of ${day}: ` +
          "the day has no settled Spotlight",
    }, context),
  sandbox_job_not_found: ({ jobId }, context) =>
    missing(
      `Cannot find sandbox job "${jobId}": a job is kept 24 hours`,
      context,
    ),
  method_not_allowed: methodNotAllowed,
  rate_limited: (refusal, context) =>
    publicProblem({
      slug: "rate-limited",
      status: 429,
      detail: "Cannot answer now: the bucket of this address is empty, " +
        `retry in ${seconds(refusal.retryAfterS)}`,
      headers: retryAfter(refusal),
    }, context),
} as const satisfies RefusalAnswers;

/** Answers a refusal as a public problem. */
export const renderPublic = answeringBy("public", PUBLIC_REFUSALS);

/** 405 as a public problem, with `Allow`. */
export function methodNotAllowed(
  refusal: RefusalOf<"method_not_allowed">,
  context: AnswerContext,
): Response {
  const { text: detail, headers } = methodNotAllowedText(refusal);
  return publicProblem(
    { slug: "method-not-allowed", status: 405, detail, headers },
    context,
  );
}

function invalid(detail: string, context: AnswerContext): Response {
  return publicProblem({ slug: "invalid-input", status: 400, detail }, context);
}

function missing(detail: string, context: AnswerContext): Response {
  return publicProblem({ slug: "not-found", status: 404, detail }, context);
}
