import { OutcomeUnknown, StoreUnavailable } from "../domain/failure.ts";
import { CircuitOpen } from "./circuit.ts";
import {
  call,
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

/** Of the time for a call, how much is left to find out what became of it. */
const SETTLING_SHARE = 1 / 4;

/**
 * Commits with a deadline, again while the store is locked, since a locked
 * commit has not been applied. Over a network a commit without an answer is
 * settled: it has applied, or never will.
 *
 * @returns the versionstamp of what was written; `null` when a check failed and
 * nothing was
 *
 * @throws {StoreUnavailable} when nothing was written and nothing will be: the
 * store stays locked, or the commit was settled
 * @throws {OutcomeUnknown} when nobody could tell; it is never run again
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
      const result = await call("commit", patience, () => atomic.commit());
      return result.ok ? result.versionstamp : null;
    } catch (error) {
      if (isMisuse(error) || error instanceof CircuitOpen) throw error;
      if (!isLocked(error)) return await settled(atomic, patience, error);
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

/** What became of a commit that ended without an answer. */
async function settled(
  atomic: KvAtomic,
  { callMs, circuit }: Patience,
  cause: unknown,
): Promise<string> {
  const settling = atomic.settle?.();
  // It goes on by itself; a store that is silent is not waited for.
  const waitMs = circuit?.isOpen ? 0 : callMs * SETTLING_SHARE;
  const outcome = settling &&
    await withDeadline(settling, waitMs).catch(() => undefined);
  if (outcome === undefined) {
    const why = "Cannot tell whether the commit has applied";
    throw new OutcomeUnknown(why, { cause });
  }
  if (outcome === null) {
    throw new StoreUnavailable("The commit was ended unapplied", { cause });
  }
  return outcome.versionstamp;
}
