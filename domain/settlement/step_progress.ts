/**
 * How a step of a candidate ends when it has not moved it on: by waiting, by
 * telling a person, or by giving the invoice up.
 *
 * @module
 */
import { SETTLEMENT_UNCERTAIN_MS } from "../limits.ts";
import type { Settlement } from "./settlement.ts";
import { LEASE_MS, moveCandidate, type Saga, type Turn } from "./saga.ts";

/** The step decided nothing: why, until the next attempt. */
export interface Wait {
  wait: string;
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

/** Moves the candidate to `voiding`: from here on nothing may be charged. */
export function beginVoiding(
  saga: Saga,
  turn: Turn,
  note: string,
): Promise<Progress> {
  return moveCandidate(saga, turn, { step: "voiding", note });
}

/** Waits, or after 60 minutes cancels at the processor. */
export async function waitOrVoid(saga: Saga, turn: Turn): Promise<Progress> {
  if (turn.candidate.step !== "voiding" && isStepOverdue(saga, turn)) {
    return await beginVoiding(saga, turn, "uncertain for 60 minutes");
  }
  return { wait: `the processor gave no answer in ${turn.candidate.step}` };
}

/**
 * Whether the step has taken longer than uncertainty may last. A processor that
 * is asked too much is not silent, and takes the call later: who floods it, by
 * what strangers may have it asked, must not take the day from who won it. Nor
 * does a process that slept, or a clock that leapt, while it was asked once.
 */
export function isStepOverdue(saga: Saga, turn: Turn): boolean {
  if (saga.isTurnedAway()) return false;
  const { settlement, candidate: { stepSinceMs } } = turn;
  const begunMs = settlement.leaseUntilMs - LEASE_MS;
  return begunMs - stepSinceMs >= SETTLEMENT_UNCERTAIN_MS;
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
