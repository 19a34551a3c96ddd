import type { TemporaryFailure } from "../../domain/failure.ts";
import { type AnswerContext, problemResponse } from "./answer_context.ts";
import { problemDocsUrl, type ProblemSlug } from "./problem_types.ts";

/** What a public problem says, beyond its kind's title and address. */
export interface PublicProblem {
  slug: ProblemSlug;
  status: number;
  detail: string;
  /** Headers of this answer alone, such as Retry-After. */
  headers?: Readonly<Record<string, string>>;
}

/** A public problem as a response (contract §12.2). */
export function publicProblem(
  problem: PublicProblem,
  context: AnswerContext,
): Response {
  const { detail } = problem;
  const docs = problemDocsUrl(context.settings, problem.slug);
  return problemResponse(problem, { detail, docs }, context);
}

/** The 500 of every surface that has no shape of its own for it. */
export function internalProblem(context: AnswerContext): Response {
  return publicProblem({
    slug: "internal-error",
    status: 500,
    detail: `Cannot answer the request${recordedAs(context)}`,
  }, context);
}

/** Under which id the log has a fault, as the end of a sentence. */
export function recordedAs({ requestId }: AnswerContext): string {
  return requestId === undefined
    ? ""
    : `: the fault is recorded as "${requestId}"`;
}

/** The 503 that says when to repeat the same request (contract §12.2). */
export function unavailableProblem(
  retryAfterS: number,
  context: AnswerContext,
  failure?: TemporaryFailure,
): Response {
  return publicProblem({
    slug: "temporarily-unavailable",
    status: 503,
    detail: `Cannot complete the request now: ${why(failure)}retry in ${
      seconds(retryAfterS)
    } with the same body and Idempotency-Key`,
    headers: { "retry-after": String(retryAfterS) },
  }, context);
}

/** Why nothing can be done now, where the caller may be told, and a comma. */
export function why(failure: TemporaryFailure | undefined): string {
  const detail = failure?.detail ?? null;
  return detail === null ? "" : `${detail}, `;
}

/** A number of seconds in words. */
export function seconds(count: number): string {
  return count === 1 ? "1 second" : `${count} seconds`;
}
