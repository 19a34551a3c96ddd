/**
 * Requests and answers as the listener hands them on.
 *
 * @module
 */

import type { ApiError } from "./errors.ts";

/** A request, read whole. */
export interface WireRequest {
  /** HTTP method. */
  method: string;
  /** Path without the query. */
  path: string;
  /** Query without `?`. */
  query: string;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  /** The body as text. */
  body: string;
}

/** An answer. */
export interface WireAnswer {
  /** HTTP status. */
  status: number;
  /** Headers. */
  headers: Record<string, string>;
  /** The body. */
  body: string | Uint8Array;
}

/**
 * What happens to the connection: an answer, a reset within or before the
 * answer, or nothing at all.
 */
export type WireOutcome =
  | WireAnswer
  | "reset"
  | "reset_before_head"
  | "silence";

/** An answer in JSON. */
export function jsonAnswer(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): WireAnswer {
  return textAnswer(status, JSON.stringify(body), headers);
}

/** An answer in JSON that is text already. */
export function textAnswer(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): WireAnswer {
  const type = { "content-type": "application/json" };
  return { status, headers: { ...type, ...headers }, body };
}

/** The answer that tells of an error. */
export function errorAnswer(error: ApiError): WireAnswer {
  return jsonAnswer(error.status, error);
}
