/**
 * Answers of the public API: JSON anyone may read from any page, with the
 * request's rate-limit headers.
 *
 * @module
 */
import { PaymentUnderWay } from "../../domain/paid_metrics/charge.ts";
import { OPEN_TO_SCRIPTS } from "../http/cors.ts";
import type { AnswerContext } from "../errors/answer_context.ts";
import { uncertainPaymentProblem } from "../errors/payment_problem.ts";
import {
  internalProblem,
  unavailableProblem,
} from "../errors/public_problem.ts";
import { renderPublic } from "../errors/public_surface.ts";
import { publicRateHeaders } from "../middleware/rate_limit.ts";
import type { RouteContext, SurfaceAnswers } from "../route_table.ts";
import { isNoneMatch } from "../http/if_none_match.ts";

/**
 * Lets scripts of any site read the answer and the headers that matter, and
 * no browser take it for a page. The head is over 512 bytes with these, which
 * is when Deno writes it and the body in one go: a third off a refusal's time.
 */
const SHARED: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
  ...OPEN_TO_SCRIPTS,
};

const UNKNOWN_REMAINDER = publicRateHeaders({ admitted: true, remaining: 0 });

/** A body that did not change since the caller read it is not sent again. */
export function readAnswer(
  context: RouteContext,
  body: string,
  etag: string,
): Response {
  return unchanged(context, etag) ??
    withRateHeaders(context, prepareAnswer(body, etag));
}

/**
 * What {@linkcode readAnswer} answers, copied from what was prepared, which
 * takes a quarter less time than making it.
 */
export function preparedAnswer(
  context: RouteContext,
  prepared: Response,
  etag: string,
): Response {
  return unchanged(context, etag) ??
    withRateHeaders(context, prepared.clone());
}

/** All of an answer that is the same for everyone who reads it. */
export function prepareAnswer(body: string, etag: string): Response {
  return new Response(body, {
    headers: { "content-type": "application/json", ...readHeaders(etag) },
  });
}

function unchanged(context: RouteContext, etag: string): Response | null {
  const ifNoneMatch = context.req.raw.headers.get("if-none-match");
  if (ifNoneMatch === null || !isNoneMatch(ifNoneMatch, etag)) return null;
  return new Response(null, {
    status: 304,
    headers: { ...readHeaders(etag), ...context.get("rateHeaders") },
  });
}

function withRateHeaders(context: RouteContext, answer: Response): Response {
  const headers = context.get("rateHeaders");
  for (const name in headers) answer.headers.append(name, headers[name] ?? "");
  return answer;
}

function readHeaders(etag: string): Record<string, string> {
  return { etag, "cache-control": "private, no-cache", ...SHARED };
}

/** The headers of every answer of the public API to this request. */
export function publicHeaders(context: RouteContext): Record<string, string> {
  return { ...SHARED, ...context.get("rateHeaders") };
}

/** What renderers of errors are told, for routes that answer some themselves. */
export function answerContextOf(
  context: RouteContext,
  settings: AnswerContext["settings"],
): AnswerContext {
  const { requestId } = context.env.trace;
  const headers = context.get("rateHeaders");
  return forEveryone({ settings, requestId, headers });
}

/** An answer that is made for this request alone. */
export function unstoredAnswer(
  context: RouteContext,
  body: unknown,
  init: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Response {
  return new Response(JSON.stringify(body), {
    status: init.status ?? 200,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      ...publicHeaders(context),
      ...init.headers,
    },
  });
}

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
  const headers = { ...UNKNOWN_REMAINDER, ...SHARED, ...context.headers };
  return { ...context, headers };
}
