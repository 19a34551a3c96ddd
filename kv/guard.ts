import { monotonicMs, sleep } from "../adapters/time/system_time.ts";
import {
  type CallKind,
  type Circuit,
  CircuitOpen,
  DeadlinePassed,
} from "./circuit.ts";
import { deadline } from "./deadlines.ts";
import { StoreUnavailable } from "../domain/failure.ts";

/** How long the store may take, and how it waits; tests shorten both. */
export interface Patience {
  /** Longest one KV call may take, ms. */
  callMs: number;
  /** Longest a verb may spend on retries, ms. */
  verbMs: number;
  /** A monotonic clock, ms. */
  nowMs: () => number;
  sleep: (ms: number) => Promise<void>;
  /** From 0 up to 1. */
  random: () => number;
  /** What has calls fail at once while the store is silent; it knows `callMs`. */
  circuit?: Circuit;
}

/** How long a call of the store may take before it ends in a 503. */
export const DEFAULT_PATIENCE: Patience = {
  callMs: 2_000,
  verbMs: 2_000,
  nowMs: monotonicMs,
  sleep,
  random: Math.random,
};

/**
 * Settles as the promise does, or rejects with {@linkcode DeadlinePassed} once
 * `ms` have passed.
 */
export function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const callOff = deadline(ms, () => reject(new DeadlinePassed()));
    promise.then((value) => {
      callOff();
      resolve(value);
    }, (error) => {
      callOff();
      reject(error);
    });
  });
}

/** Makes one call of the store, with its deadline. */
export function call<T>(
  kind: CallKind,
  { callMs, circuit }: Patience,
  made: () => Promise<T>,
): Promise<T> {
  if (circuit !== undefined) return circuit.run(kind, made);
  return withDeadline(made(), callMs);
}

/**
 * Whether the embedded store was busy with another process's transaction. Such
 * a call has not been applied and may be repeated.
 */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message.includes("database is locked");
}

/**
 * Whether the store refused what it was asked because the asking is wrong: too
 * many or too large, or nothing that can be stored. A bug; where a server says
 * so of a commit, it may be of a repeat of one that has applied.
 */
export function isMisuse(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof TypeError && MISUSE.test(error.message) ||
    REFUSED_BY_SERVER.test(error.message);
}

const MISUSE =
  /too (large|many|long)|non-U64|cannot be empty|not be cloned|expireIn must/i;

/**
 * What a KV server answers to what is wrong or too large. All else is no fault of
 * what was asked: an access token that is not taken any more (401), a proxy that
 * is busy (429), or one that knows no server while that is replaced (404, 421).
 */
const REFUSED_BY_SERVER = /^KV Connect failed to call .*\(status=4(?:00|13)\b/;

/** A wait of 1–20 ms before a locked store is asked again. */
export function lockedPauseMs(patience: Patience): number {
  return 1 + patience.random() * 19;
}

/**
 * Runs one read with its deadline, again while the store is locked, until
 * `untilMs` on the monotonic clock.
 *
 * @throws {StoreUnavailable} when there was no answer; misuse stays what it is
 */
export async function guardedRead<T>(
  read: () => Promise<T>,
  patience: Patience,
  untilMs?: number,
  onLocked?: () => void,
): Promise<T> {
  const endMs = untilMs ?? patience.nowMs() + patience.verbMs;
  for (;;) {
    try {
      return await call("read", patience, read);
    } catch (error) {
      if (isMisuse(error) || error instanceof CircuitOpen) throw error;
      if (!isLocked(error) || patience.nowMs() >= endMs) {
        throw new StoreUnavailable("Cannot read from the store", {
          cause: error,
        });
      }
    }
    onLocked?.();
    await patience.sleep(lockedPauseMs(patience));
  }
}
