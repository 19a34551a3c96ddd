import { OutcomeUnknown, StoreUnavailable } from "../domain/failure.ts";
import {
  isLocked,
  isMisuse,
  lockedPauseMs,
  type Patience,
  withDeadline,
} from "./guard.ts";
import type { KvAtomic, KvLike } from "./kv_like.ts";

/** How long one commit may be tried, and who hears of it. */
export interface CommitBudget {
  patience: Patience;
  /** On the monotonic clock; {@linkcode Patience.verbMs} from now by default. */
  untilMs?: number;
  onLocked?: () => void;
}

/**
 * Commits with a deadline, again while the store is locked, since a locked
 * commit has not been applied.
 *
 * @returns the versionstamp of what was written; `null` when a check failed and
 * nothing was
 *
 * @throws {StoreUnavailable} when the store stays locked; nothing was written
 * @throws {OutcomeUnknown} when there was no answer; it is never sent again
 */
export async function guardedCommit(
  kv: KvLike,
  fill: (atomic: KvAtomic) => void,
  budget: CommitBudget,
): Promise<string | null> {
  const { patience } = budget;
  const untilMs = budget.untilMs ?? patience.nowMs() + patience.verbMs;
  for (;;) {
    const atomic = kv.atomic();
    fill(atomic);
    try {
      const result = await withDeadline(atomic.commit(), patience.callMs);
      return result.ok ? result.versionstamp : null;
    } catch (error) {
      if (!isLocked(error)) throw outcomeOf(error);
      if (patience.nowMs() >= untilMs) {
        throw new StoreUnavailable("Cannot commit: the store stays locked", {
          cause: error,
        });
      }
    }
    budget.onLocked?.();
    await patience.sleep(lockedPauseMs(patience));
  }
}

/**
 * Misuse of the store is a bug and stays what it is; after anything else
 * nobody knows whether the commit has applied.
 */
function outcomeOf(error: unknown): unknown {
  if (isMisuse(error)) return error;
  return new OutcomeUnknown("Cannot tell whether the commit has applied", {
    cause: error,
  });
}
