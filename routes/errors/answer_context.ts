import type { Settings } from "../../domain/ports.ts";
import {
  PROBLEM_TYPES,
  type ProblemSlug,
  problemTypeUrl,
} from "./problem_types.ts";
import { respond } from "../http/respond.ts";
import type { Viewer } from "../pages/viewer.ts";

/** What a renderer is told about the request it answers. */
export interface AnswerContext {
  settings: Pick<Settings, "baseUrl" | "authUrl">;
  requestId?: string;
  /** Who is shown it where it is a page; absent where nobody has asked. */
  viewer?: Viewer;
  /** Headers of every answer to the request, such as RateLimit; lower case. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Members that every error of the surface begins with. */
  members?: Readonly<Record<string, unknown>>;
}

/** An answer that must not be kept: every error is one. */
export const NO_STORE: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
};

/**
 * The headers of an error: those of every answer to the request, its own and
 * the request's id, by which the log can be searched. Successes go without the
 * id, since adding it costs them a tenth of their time.
 */
export function errorHeaders(
  context: AnswerContext,
  own?: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers = { ...context.headers, ...own, ...NO_STORE };
  return context.requestId === undefined
    ? headers
    : { ...headers, "x-request-id": context.requestId };
}

/** A JSON error answer with `Cache-Control: no-store`. */
export function errorResponse(
  status: number,
  contentType: "application/json" | "application/problem+json",
  body: object,
  context: AnswerContext,
  own?: Readonly<Record<string, string>>,
): Response {
  const headers = errorHeaders(context, own);
  headers["content-type"] = contentType;
  const marked = { ...context.members, ...body };
  return respond(JSON.stringify(marked), { status, headers });
}

/** A problem of one of our kinds, with the members of its surface. */
export function problemResponse(
  { slug, status, headers }: {
    slug: ProblemSlug;
    status: number;
    /** Headers of this answer alone, such as Retry-After. */
    headers?: Readonly<Record<string, string>> | undefined;
  },
  members: Readonly<Record<string, unknown>>,
  context: AnswerContext,
): Response {
  const type = problemTypeUrl(context.settings, slug);
  const body = { type, title: PROBLEM_TYPES[slug].title, status, ...members };
  const contentType = "application/problem+json";
  return errorResponse(status, contentType, body, context, headers);
}
