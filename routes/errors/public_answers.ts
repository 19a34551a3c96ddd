import { PaymentUnderWay } from "../../domain/paid_metrics/charge.ts";
import { OPEN_TO_SCRIPTS } from "../http/cors.ts";
import { publicRateHeaders } from "../http/rate_headers.ts";
import type { SurfaceAnswers } from "../route_table.ts";
import type { AnswerContext } from "./answer_context.ts";
import { uncertainPaymentProblem } from "./payment_problem.ts";
import { internalProblem, unavailableProblem } from "./public_problem.ts";
import { renderPublic } from "./public_surface.ts";

/**
 * Lets scripts of any site read the answer and the headers that matter, and
 * no browser take it for a page. The head is over 512 bytes with these, which
 * is when Deno writes it and the body in one go: a third off a refusal's time.
 */
export const PUBLIC_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
  ...OPEN_TO_SCRIPTS,
};

const UNKNOWN_REMAINDER = publicRateHeaders({ admitted: true, remaining: 0 });

/** Public problems that scripts of any site can read. */
export const PUBLIC_ANSWERS: SurfaceAnswers = {
  refused: (refusal, context) => renderPublic(refusal, forEveryone(context)),
  failed: (context) => internalProblem(forEveryone(context)),
  unavailable: (retryAfterS, context, failure) =>
    failure instanceof PaymentUnderWay
      ? uncertainPaymentProblem(retryAfterS, forEveryone(context))
      : unavailableProblem(retryAfterS, forEveryone(context), failure),
};

/**
 * The same with the headers of every public answer, `RateLimit-Policy` and
 * `RateLimit` (contract §13.1). Where the bucket could not be read the
 * remainder is told as 0, the reading that makes callers wait.
 */
export function forEveryone(context: AnswerContext): AnswerContext {
  const headers = {
    ...UNKNOWN_REMAINDER,
    ...PUBLIC_HEADERS,
    ...context.headers,
  };
  return { ...context, headers };
}
