import type { Transaction } from "../ports.ts";
import type { StoredAnswer } from "./record.ts";
import { type Binding, doneRecord, replayOf } from "./replay.ts";

/** What a request that may be repeated came to. */
export interface BoundAnswer {
  answer: StoredAnswer;
  /** The key had been used for this very request: nothing was done again. */
  replayed: boolean;
}

type KeyedTransaction = Pick<Transaction, "idempotency">;

/**
 * What was answered to this very request before; null when it is new, or
 * carries no key. Its read is a check of the caller's commit.
 *
 * @throws {Refused} `idempotency_conflict` when the key names another request
 */
export async function boundAnswer(
  tx: KeyedTransaction,
  binding: Binding | null,
): Promise<StoredAnswer | null> {
  if (binding === null) return null;
  const { owner, operation, key, requestHash } = binding;
  const record = await tx.idempotency.find(owner, operation, key);
  return replayOf(record, requestHash);
}

/** Binds the key to the answer in the commit of what it answers. */
export function bindAnswer(
  tx: KeyedTransaction,
  binding: Binding | null,
  answer: StoredAnswer,
  expiresAtMs: number,
): void {
  if (binding === null) return;
  tx.idempotency.save(doneRecord(binding, answer, expiresAtMs));
}
