import { refuse } from "../refusal.ts";
import type { IdempotencyRecord, StoredAnswer } from "./record.ts";
import type { AnswerKeys } from "./sealed_answer.ts";

/** How long keys of bids, checkout and cards are kept (contract §11.1). */
export const IDEMPOTENCY_LONG_MS = 30 * 86_400_000;
/** How long all other keys are kept, paid metrics included (contract §11.1). */
export const IDEMPOTENCY_SHORT_MS = 86_400_000;

/** What a key is bound to. */
export interface Binding {
  owner: string;
  /** Method plus path with its ids. */
  operation: string;
  key: string;
  requestHash: string;
  /** What the answer is sealed with; absent where it is no secret. */
  sealedBy?: AnswerKeys;
}

/**
 * The answer that a repeat of a request gets again; null when the key is free.
 *
 * @throws {Refused} `idempotency_conflict` when the key names another request,
 * `idempotency_in_flight` while the first one is under way
 */
export function replayOf(
  record: IdempotencyRecord | null,
  hash: string,
): StoredAnswer | null {
  if (record === null) return null;
  if (record.requestHash !== hash) refuse({ code: "idempotency_conflict" });
  if (record.answer === null) refuse({ code: "idempotency_in_flight" });
  return record.answer;
}
