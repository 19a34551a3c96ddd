/**
 * Idempotency keys as the Stripe API keeps them: the first result of a key
 * is saved once execution began, whatever it is, and given again for a day.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { ApiError } from "./errors.ts";

/** Longest key, characters (Stripe API, idempotent requests). */
export const MAX_KEY_LENGTH = 255;

/** How long keys are kept at least (Stripe API, idempotent requests). */
export const KEEP_MS = 24 * 60 * 60 * 1_000;

/** Most keys kept; the oldest make room. */
export const MAX_RECORDS = 200_000;

/** The first result of a key. */
export interface IdempotencyRecord {
  /** The key as sent. */
  key: string;
  /** Method and path. */
  endpoint: string;
  /** Hash of endpoint and parameters. */
  fingerprint: string;
  /** When it was saved, epoch milliseconds. */
  savedAtMs: number;
  /** The saved status. */
  status: number;
  /** The saved body. */
  body: string;
  /** The first request's id. */
  requestId: string;
}

/** Hash of what a request asks, whatever the order of its parameters. */
export function fingerprintOf(endpoint: string, body: string): string {
  const params = body.split("&").sort().join("&");
  return createHash("sha256").update(`${endpoint}\n${params}`)
    .digest("base64url");
}

/** Keys in flight and saved results. */
export class IdempotencyKeys {
  #records = new Map<string, IdempotencyRecord>();
  #inFlight = new Set<string>();

  /** Every saved result that still counts. */
  *records(nowMs: number): Generator<IdempotencyRecord> {
    for (const record of this.#records.values()) {
      if (isKept(record, nowMs)) yield record;
    }
  }

  /**
   * The saved result of a request, if any.
   *
   * @throws {ApiError} 400 for another request under the same key, 409 while
   * the first is in flight
   */
  find(
    key: string,
    endpoint: string,
    fingerprint: string,
    nowMs: number,
  ): IdempotencyRecord | null {
    const record = this.#records.get(key);
    const kept = record !== undefined && isKept(record, nowMs);
    if (kept && record.endpoint !== endpoint) throw otherEndpoint(record);
    if (kept && record.fingerprint !== fingerprint) throw otherParams(key);
    if (this.#inFlight.has(key)) throw inUse(key);
    return kept ? record : null;
  }

  /** Marks a key as in flight until `finish`. */
  begin(key: string): void {
    this.#inFlight.add(key);
  }

  /** The request of this key was answered or given up. */
  finish(key: string): void {
    this.#inFlight.delete(key);
  }

  /** Saves a result and lets go of what is too old or too much. */
  save(record: IdempotencyRecord): void {
    this.#records.delete(record.key);
    this.#records.set(record.key, record);
    for (const [key, oldest] of this.#records) {
      const tooMany = this.#records.size > MAX_RECORDS;
      if (!tooMany && isKept(oldest, record.savedAtMs)) return;
      this.#records.delete(key);
    }
  }

  /** Takes a result back that was never written down. */
  forget(key: string): void {
    this.#records.delete(key);
  }
}

function isKept(record: IdempotencyRecord, nowMs: number): boolean {
  return nowMs - record.savedAtMs < KEEP_MS;
}

function otherEndpoint(record: IdempotencyRecord): ApiError {
  return new ApiError(400, {
    type: "idempotency_error",
    message: "Keys for idempotent requests can only be used for the same " +
      `endpoint they were first used for ('${record.endpoint}'). Try using ` +
      `a key other than '${record.key}' if you meant to execute a different ` +
      "request.",
  });
}

function otherParams(key: string): ApiError {
  return new ApiError(400, {
    type: "idempotency_error",
    message: "Keys for idempotent requests can only be used with the same " +
      `parameters they were first used with. Try using a key other than ` +
      `'${key}' if you meant to execute a different request.`,
  });
}

function inUse(key: string): ApiError {
  return new ApiError(409, {
    type: "idempotency_error",
    code: "idempotency_key_in_use",
    message: "There is currently another in-progress request using this " +
      `idempotency key ('${key}'). Try again later.`,
  });
}
