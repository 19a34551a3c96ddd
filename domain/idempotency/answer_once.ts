/**
 * A request with a key takes effect once: its answer is stored in the commit of
 * what it tells of, and a repeat gets it again, byte for byte.
 *
 * @module
 */
import { invariant } from "../invariant.ts";
import type { Services, Transaction } from "../ports.ts";
import type { IdempotencyRecord, StoredAnswer } from "./record.ts";
import { openAnswer, sealAnswer } from "./sealed_answer.ts";
import { type Binding, IDEMPOTENCY_SHORT_MS, replayOf } from "./replay.ts";

/** What is said of a change: its record, and whether something new was made. */
export interface Said<Value> {
  status: number;
  value: Value;
}

/** What a request that may be repeated came to. */
export interface Answered<Value> {
  /** The record, made now or told again. */
  value: Value;
  /** The same as it goes out, now and at every repeat. */
  answer: StoredAnswer;
  /** The key had been used for this very request: nothing was done again. */
  replayed: boolean;
}

/** A key and for how long it is kept. */
export interface Keeping {
  /** Null for a request that is not to be repeatable. */
  binding: Binding | null;
  nowMs: number;
  keptMs: number;
}

type KeyedTransaction = Pick<Transaction, "idempotency">;

/** Says what has been done, or stands as it was wanted. */
export function done<Value>(value: Value): Said<Value> {
  return { status: 200, value };
}

/** Says what has been made. */
export function made<Value>(value: Value): Said<Value> {
  return { status: 201, value };
}

/**
 * Does something once a key: a repeat is told what was said before, and what is
 * said now is stored in the caller's commit.
 *
 * @throws {Refused} `idempotency_conflict` when the key names another request,
 * `idempotency_in_flight` while the first one is under way
 */
export async function answerOnce<Value>(
  tx: KeyedTransaction,
  keeping: Keeping,
  verb: () => Said<Value> | Promise<Said<Value>>,
): Promise<Answered<Value>> {
  return await findReplay<Value>(tx, keeping.binding) ??
    storeAnswer(tx, keeping, await verb());
}

/** The same in a commit of its own, whose key is kept for a day. */
export function commitOnce<Value>(
  { store, clock }: Pick<Services, "store" | "clock">,
  binding: Binding | null,
  verb: (tx: Transaction, nowMs: number) => Promise<Said<Value>>,
): Promise<Answered<Value>> {
  return store.transact((tx) => {
    const nowMs = clock.now();
    const keeping = { binding, nowMs, keptMs: IDEMPOTENCY_SHORT_MS };
    return answerOnce(tx, keeping, () => verb(tx, nowMs));
  });
}

/**
 * What was said to this very request before; null when it is new, or carries no
 * key. Its read is a check of the caller's commit.
 *
 * @throws {Refused} as {@linkcode answerOnce} does
 */
export async function findReplay<Value>(
  tx: KeyedTransaction,
  binding: Binding | null,
): Promise<Answered<Value> | null> {
  if (binding === null) return null;
  const { owner, operation, key, requestHash } = binding;
  const record = await tx.idempotency.find(owner, operation, key);
  if (record === null || replayOf(record, requestHash) === null) return null;
  return storedAnswer(record, binding);
}

/**
 * The answer of a record as a repeat is told it; null where there is none, or
 * where the secret that sealed it is no longer in use: then it is done anew.
 */
export function storedAnswer<Value>(
  record: IdempotencyRecord | null,
  { sealedBy: keys }: Pick<Binding, "sealedBy">,
): Answered<Value> | null {
  const { answer = null, sealKeyId } = record ?? {};
  if (record === null || answer === null) return null;
  if (sealKeyId === undefined) return replayedAnswer(answer);
  invariant(keys !== undefined, "what is sealed has keys that open it");
  const opened = openAnswer(keys, record, sealKeyId, answer);
  return opened && replayedAnswer(opened);
}

/** An answer, told to a repeat. */
export function replayedAnswer<Value>(answer: StoredAnswer): Answered<Value> {
  return { value: JSON.parse(answer.body), answer, replayed: true };
}

/** Stores what is said under its key, in the commit of what it tells of. */
export function storeAnswer<Value>(
  tx: KeyedTransaction,
  { binding, nowMs, keptMs }: Keeping,
  { status, value }: Said<Value>,
): Answered<Value> {
  const answer = { status, body: JSON.stringify(value) };
  if (binding !== null) {
    const expiresAtMs = nowMs + keptMs;
    const { owner, operation, key, requestHash, sealedBy } = binding;
    const bound = { owner, operation, key, requestHash };
    const kept = sealedBy === undefined
      ? { answer }
      : sealAnswer(sealedBy, { ...bound, expiresAtMs }, answer);
    tx.idempotency.save({ ...bound, state: "done", ...kept, expiresAtMs });
  }
  return { value, answer, replayed: false };
}

/** Takes a key for a request that ends in a later commit. */
export function reserveKey(
  tx: KeyedTransaction,
  { sealedBy: _, ...bound }: Binding,
  expiresAtMs: number,
): void {
  tx.idempotency.save({
    ...bound,
    state: "in_flight",
    answer: null,
    expiresAtMs,
  });
}
