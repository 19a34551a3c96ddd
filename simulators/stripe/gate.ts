/**
 * Who comes in: the caller's key, the idempotency key, and the faults that
 * turn a request away at once.
 *
 * @module
 */

import { ApiError, invalidRequest } from "./errors.ts";
import type { Fault } from "./faults.ts";
import { fingerprintOf, MAX_KEY_LENGTH } from "./idempotency.ts";
import { API_VERSION } from "./objects.ts";
import { errorAnswer, type WireOutcome, type WireRequest } from "./wire.ts";

/** An idempotency key with what it was used for. */
export interface RequestKey {
  /** The key as sent. */
  key: string;
  /** The path it was used on. */
  endpoint: string;
  /** Hash of path and parameters. */
  fingerprint: string;
}

/** What a fault answers before anything is looked at, or `null`. */
export function refusedEarly(fault: Fault | null): WireOutcome | null {
  switch (fault?.kind) {
    case "reset_before_effect":
      return resetOf(fault);
    case "rate_limit":
      return errorAnswer(
        new ApiError(429, {
          type: "invalid_request_error",
          code: "rate_limit",
          message: "Request rate limit exceeded. Learn more about rate " +
            "limits here https://stripe.com/docs/rate-limits.",
        }),
      );
    case "lock_timeout":
      return errorAnswer(
        new ApiError(409, {
          type: "invalid_request_error",
          code: "lock_timeout",
          message: "This object cannot be accessed right now because another " +
            "API request or Stripe process is currently accessing it.",
        }),
      );
    default:
      return null;
  }
}

/** Where in the answer the connection is lost. */
export function resetOf(fault: Fault): WireOutcome {
  return fault.before_head ? "reset_before_head" : "reset";
}

/**
 * Lets only the holder of the secret key in.
 *
 * @throws {ApiError} 401
 */
export function checkCaller({ header }: WireRequest, secretKey: string): void {
  const given = header("authorization") ?? "";
  if (given === `Bearer ${secretKey}`) return;
  const key = given.replace(/^Bearer +/i, "");
  const message = key === ""
    ? "You did not provide an API key. You need to provide your API key in " +
      "the Authorization header, using Bearer auth (e.g. 'Authorization: " +
      "Bearer YOUR_SECRET_KEY')."
    : `Invalid API Key provided: ${key.slice(0, 8)}****`;
  throw new ApiError(401, { type: "invalid_request_error", message });
}

/** The API version a request asks for. */
export function versionOf({ header }: WireRequest): string {
  return header("stripe-version") ?? API_VERSION;
}

/** Whether a request asks for a version that shows what is not released yet. */
export function asksForPreview(request: WireRequest): boolean {
  return /^\d{4}-\d{2}-\d{2}\.preview$/.test(versionOf(request));
}

/**
 * The idempotency key of a POST; other methods need none.
 *
 * @throws {ApiError} 400 for an empty or overlong key
 */
export function readKey(
  { method, path, header, body }: WireRequest,
): RequestKey | null {
  const key = header("idempotency-key");
  if (method !== "POST" || key === undefined) return null;
  if (key === "" || key.length > MAX_KEY_LENGTH) {
    throw invalidRequest(
      `Idempotency keys have 1 to ${MAX_KEY_LENGTH} characters`,
    );
  }
  const endpoint = path;
  return { key, endpoint, fingerprint: fingerprintOf(endpoint, body) };
}

/** 404: there is no such path. */
export function unknownUrl({ method, path }: WireRequest): ApiError {
  return new ApiError(404, {
    type: "invalid_request_error",
    message: `Unrecognized request URL (${method}: ${path.slice(0, 200)}). ` +
      "Please see https://stripe.com/docs or we can help at " +
      "https://support.stripe.com/.",
  });
}
