/**
 * What scripts of pages on other sites may do (CORS). There is one rule: a
 * surface is open to all of them or to none. The open ones know nobody by a
 * cookie, and nothing here ever allows credentials, so that a script can do no
 * more than any program that has the same token, or none.
 *
 * @module
 */
import { respondEmpty, withHeaders } from "./respond.ts";

/**
 * The headers of an answer that scripts of any page may read. Answers that are
 * made often have them from the start, the rest by {@linkcode openToScripts}.
 */
export const OPEN_TO_SCRIPTS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Content-Disposition, ETag, " +
    "Idempotency-Key, Idempotent-Replayed, Link, Location, Metrics-Final, " +
    "Payment-Receipt, RateLimit, RateLimit-Policy, Request-Id, Retry-After, " +
    "WWW-Authenticate, X-Request-Id",
};

/**
 * The star stands for every header but Authorization, those of tool servers
 * and tracing for example; the others are named for who reads the list.
 */
const REQUEST_HEADERS = "Authorization, API-Version, Content-Type, " +
  "Idempotency-Key, If-None-Match, *";

/** Where a path is unknown, the script is let find out. */
const ALL_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** How long a browser may remember that it may ask. */
const REMEMBERED_S = 86_400;

/** Whether a browser asks if a script may send its request. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("access-control-request-method");
}

/**
 * The answer to that. It comes before tokens and rate limits: a 401 or 429 here
 * would hide from the script what its own request is answered.
 */
export function preflightAnswer(methods: readonly string[]): Response {
  const allowed = methods.length > 0 ? methods : ALL_METHODS;
  return respondEmpty(204, {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": allowed.join(", "),
    "access-control-allow-headers": REQUEST_HEADERS,
    "access-control-max-age": String(REMEMBERED_S),
  });
}

/** An answer as scripts of any page may read it. */
export function openToScripts(answer: Response): Response {
  return answer.headers.has("access-control-allow-origin")
    ? answer
    : withHeaders(answer, OPEN_TO_SCRIPTS);
}
