/**
 * How a step of a candidate ends when it has not moved it on: by waiting, by
 * telling a person, or by giving the invoice up.
 *
 * @module
 */
import { SETTLEMENT_UNCERTAIN_MS } from "../limits.ts";
import { moveCandidate, type Saga, type Turn } from "./saga.ts";
import {
  type Awaited,
  isSoldElsewhere,
  type Mending,
  type Settlement,
  type Stall,
} from "./settlement.ts";

/** Longest pause between attempts, ms. */
export const PAUSE_MAX_MS = 5 * 60_000;
/** Attempts that are further apart were kept apart by an outage of ours. */
const OUTAGE_MS = 2 * PAUSE_MAX_MS;

/** The step decided nothing: why, until the next attempt. */
export interface Wait {
  wait: string;
  /** What it waits for in vain; absent where the processor has answered. */
  awaited?: Awaited;
  /** What a person has to mend first, who has an hour. */
  mending?: Mending["what"];
}

/** The result of a step: the settlement after it, or a wait. */
export type Progress = Settlement | Wait;

/** Why nothing is sold or given up of a day that is over by our clock alone. */
export const TIME_UNTOLD = "the processor has not told whether the day is over";

/** Tells a wait from a settlement. */
export function isWait(progress: Progress): progress is Wait {
  return "wait" in progress;
}

/** Tells the operator what a person has to look at. */
export function report(
  saga: Saga,
  { candidate }: Turn,
  event: string,
  fields: Record<string, unknown> = {},
): void {
  const { day, services: { log } } = saga;
  log.error(event, { day, bid: candidate.bidId, ...fields });
}

/** Waits for a person, who is told of it by the log. */
export function waitForPerson(
  saga: Saga,
  turn: Turn,
  event: string,
  wait: string,
): Wait {
  report(saga, turn, event);
  return { wait };
}

/** Waits for a person, or gives up once it was so for 60 minutes. */
export async function waitForMending(
  saga: Saga,
  turn: Turn,
  { event, ...wait }: {
    event: string;
    wait: string;
    mending: Mending["what"];
  },
  giveUp: () => Promise<Progress>,
): Promise<Progress> {
  report(saga, turn, event);
  const after = mendingAfter(turn, wait, saga.services.clock.now());
  const isOver = (after?.forMs ?? 0) >= SETTLEMENT_UNCERTAIN_MS;
  return isOver ? await giveUp() : wait;
}

/**
 * For how long a person has had to mend something, once an attempt ends so. What
 * lies between is no answer to it, such as a call that was turned away, and an
 * outage, or a clock that leaps, counts as one pause: nobody was told of it
 * meanwhile.
 */
export function mendingAfter(
  { settlement: { mending }, candidate: { bidId, step } }: Turn,
  { mending: what }: Wait,
  nowMs: number,
): Mending | undefined {
  if (what === undefined) return mending;
  const isSame = mending?.bidId === bidId && mending.step === step &&
    mending.what === what;
  const sinceMs = isSame ? nowMs - mending.lastMs : 0;
  const forMs = (isSame ? mending.forMs : 0) +
    Math.min(Math.max(sinceMs, 0), PAUSE_MAX_MS);
  return { bidId, step, what, forMs, lastMs: nowMs };
}

/** Moves the candidate to `voiding`: from here on nothing may be charged. */
export function beginVoiding(
  saga: Saga,
  turn: Turn,
  note: string,
): Promise<Progress> {
  return moveCandidate(saga, turn, { step: "voiding", note });
}

/**
 * Waits for an answer, or after 60 minutes cancels at the processor; not what
 * another store has sold, of which it is known that it was paid.
 */
export function waitOrVoid(
  saga: Saga,
  turn: Turn,
  awaited: "look" | "call",
): Promise<Progress> {
  const { candidate } = turn;
  const wait = {
    wait: `the processor gave no answer in ${candidate.step}`,
    awaited,
  };
  const mayVoid = candidate.step !== "voiding" && !isSoldElsewhere(candidate);
  return mayVoid
    ? waitAtMost(
      saga,
      turn,
      wait,
      () => beginVoiding(saga, turn, "uncertain for 60 minutes"),
    )
    : Promise.resolve(wait);
}

/** Waits, or gives up once no attempt of 60 minutes had an answer. */
export async function waitAtMost(
  saga: Saga,
  turn: Turn,
  wait: Wait,
  giveUp: () => Promise<Progress>,
): Promise<Progress> {
  const nowMs = saga.services.clock.now();
  const stall = stallAfter(saga, turn, wait, nowMs);
  const isOver = stall !== null &&
    nowMs - stall.sinceMs >= SETTLEMENT_UNCERTAIN_MS;
  return isOver ? await giveUp() : wait;
}

/** What a settlement keeps of its waits, once an attempt ends so. */
export function waitedAfter(
  saga: Saga,
  turn: Turn,
  wait: Wait,
  nowMs: number,
): Pick<Settlement, "stall" | "mending"> {
  const mending = mendingAfter(turn, wait, nowMs);
  return {
    stall: stallAfter(saga, turn, wait, nowMs),
    ...mending !== undefined && { mending },
  };
}

/**
 * How long the step has had no answer, once an attempt ends so. Time in a state is
 * no time without an answer: any attempt that was answered ends it, and one that
 * comes after an outage of ours begins it anew, as does one whose process slept.
 *
 * A processor that is asked too much is not silent, and takes the call later: who
 * floods it, by what strangers may have it asked, must not take the day from who
 * won it.
 */
export function stallAfter(
  saga: Saga,
  { settlement: { stall }, candidate: { bidId, step } }: Turn,
  wait: Wait,
  nowMs: number,
): Stall | null {
  if (saga.isTurnedAway()) return null;
  const { awaited } = wait;
  const isSame = stall?.bidId === bidId && stall.step === step &&
    nowMs - stall.lastMs < OUTAGE_MS && isStillAwaited(stall.awaited, wait);
  // A clock that was ahead, and is right again, adds nothing to it.
  if (isSame) {
    const sinceMs = Math.min(stall.sinceMs, nowMs);
    return { ...stall, sinceMs, lastMs: nowMs };
  }
  return awaited === undefined
    ? null
    : { bidId, step, awaited, sinceMs: nowMs, lastMs: nowMs };
}

/**
 * Whether what had no answer has none yet. A call has none while attempts end
 * before they come to it, at a look that is lost or at the company: else whoever
 * changes that could have the hour of the call begin anew. What else there is to
 * mend comes after the call, which was answered then.
 */
function isStillAwaited(before: Awaited, { awaited, mending }: Wait): boolean {
  return before === "call"
    ? awaited !== undefined || mending === "company"
    : awaited === before;
}

/**
 * The idempotency key of a call: the same whenever it is repeated. A raise that a
 * restored store has lost had keys of its own, which may be in use for a draft
 * of another sum.
 */
export function callKey(saga: Saga, { candidate }: Turn, call: string): string {
  const { bidId, amountCents } = candidate;
  return `settle:${saga.day}:${bidId}:${amountCents}:${call}`;
}
