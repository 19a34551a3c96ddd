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
  type Settlement,
  type Stall,
} from "./settlement.ts";

/**
 * Attempts that are further apart were kept apart by an outage of ours: pauses
 * take 5 minutes at most.
 */
const OUTAGE_MS = 10 * 60_000;

/** The step decided nothing: why, until the next attempt. */
export interface Wait {
  wait: string;
  /** What it waits for in vain; absent where the processor has answered. */
  awaited?: Awaited;
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

/** Waits for a person, who has 60 minutes from the first time on. */
export function waitForPersonAtMost(
  saga: Saga,
  turn: Turn,
  { event, ...wait }: Required<Wait> & { event: string },
  giveUp: () => Promise<Progress>,
): Promise<Progress> {
  report(saga, turn, event);
  return waitAtMost(saga, turn, wait, giveUp);
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

/** Waits, or gives up once each attempt of 60 minutes has waited for the same. */
export async function waitAtMost(
  saga: Saga,
  turn: Turn,
  wait: Required<Wait>,
  giveUp: () => Promise<Progress>,
): Promise<Progress> {
  const nowMs = saga.services.clock.now();
  const stall = stallAfter(saga, turn, wait, nowMs);
  const isOver = stall !== null &&
    nowMs - stall.sinceMs >= SETTLEMENT_UNCERTAIN_MS;
  return isOver ? await giveUp() : wait;
}

/**
 * How long the step has waited, once an attempt ends so. Time in a state is no
 * time without an answer: any attempt that was answered ends it, and one that
 * comes after an outage of ours begins it anew, as does one whose process slept.
 *
 * A processor that is asked too much is not silent, and takes the call later: who
 * floods it, by what strangers may have it asked, must not take the day from who
 * won it. Where a look is lost, the call before it still has no answer; where one
 * was answered, the call after it is the first without.
 */
export function stallAfter(
  saga: Saga,
  { settlement: { stall }, candidate: { bidId, step } }: Turn,
  { awaited }: Wait,
  nowMs: number,
): Stall | null {
  if (awaited === undefined || saga.isTurnedAway()) return null;
  const isSame = stall?.bidId === bidId && stall.step === step &&
    (stall.awaited === awaited ||
      awaited === "look" && stall.awaited === "call");
  if (!isSame || nowMs - stall.lastMs >= OUTAGE_MS) {
    return { bidId, step, awaited, sinceMs: nowMs, lastMs: nowMs };
  }
  // A clock that was ahead, and is right again, adds nothing to it.
  const sinceMs = Math.min(stall.sinceMs, nowMs);
  return { ...stall, sinceMs, lastMs: nowMs };
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
