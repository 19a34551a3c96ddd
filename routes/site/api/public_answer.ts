/**
 * Answers of the public API: JSON anyone may read from any page, with the
 * request's rate-limit headers.
 *
 * @module
 */
import { answerContextOf } from "../../context.ts";
import { type AnswerContext, NO_STORE } from "../../errors/answer_context.ts";
import { forEveryone, PUBLIC_HEADERS } from "../../errors/public_answers.ts";
import type { RouteContext } from "../../route_table.ts";
import { isNoneMatch } from "../../http/if_none_match.ts";
import {
  respond,
  respondEmpty,
  respondJson,
  withHeaders,
} from "../../http/respond.ts";

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
  return respond(body, {
    headers: { "content-type": "application/json", ...readHeaders(etag) },
  });
}

function unchanged(context: RouteContext, etag: string): Response | null {
  const ifNoneMatch = context.req.raw.headers.get("if-none-match");
  if (ifNoneMatch === null || !isNoneMatch(ifNoneMatch, etag)) return null;
  return respondEmpty(304, {
    ...readHeaders(etag),
    ...context.get("rateHeaders"),
  });
}

function withRateHeaders(context: RouteContext, answer: Response): Response {
  return withHeaders(answer, context.get("rateHeaders") ?? {});
}

function readHeaders(etag: string): Record<string, string> {
  return { etag, "cache-control": "private, no-cache", ...PUBLIC_HEADERS };
}

/** The headers of every answer of the public API to this request. */
export function publicHeaders(context: RouteContext): Record<string, string> {
  return { ...PUBLIC_HEADERS, ...context.get("rateHeaders") };
}

/** What renderers of errors are told, for routes that answer some themselves. */
export function publicContextOf(
  context: RouteContext,
  settings: AnswerContext["settings"],
): AnswerContext {
  return forEveryone(answerContextOf(context, settings));
}

/** An answer that is made for this request alone. */
export function unstoredAnswer(
  context: RouteContext,
  body: unknown,
  init: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Response {
  return respondJson(body, {
    status: init.status ?? 200,
    headers: { ...NO_STORE, ...publicHeaders(context), ...init.headers },
  });
}
