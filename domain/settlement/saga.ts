import type { Day } from "../day.ts";
import { ProcessorBusy, StoreOnHold } from "../failure.ts";
import { invariant } from "../invariant.ts";
import type { InvoiceOwner } from "../invoices/record_invoice.ts";
import type { Processor } from "../payments/processor.ts";
import type { Services, Transaction } from "../ports.ts";
import { advance } from "../state_machine.ts";
import {
  type Candidate,
  CANDIDATE_STEPS,
  type Settlement,
} from "./settlement.ts";

/**
 * How long nobody else may work on a settlement; renewed at every step, of which
 * none makes more than two calls that may change something or take their time.
 */
export const LEASE_MS = 45_000;

/** One worker's hold on one day's settlement. */
export interface Saga {
  services: Services;
  day: Day;
  /** Names the holder of the lease. */
  owner: string;
  /**
   * Whether the processor has said that it takes no more calls now, or was not
   * asked since the store is on hold.
   */
  isTurnedAway(): boolean;
}

/** A worker's, who is yet to take the lease. */
export function newSaga(services: Services, day: Day): Saga {
  let isTurnedAway = false;
  const processor = watched(services.processor, (error) => {
    isTurnedAway ||= error instanceof ProcessorBusy ||
      error instanceof StoreOnHold;
  });
  return {
    services: { ...services, processor },
    day,
    owner: services.ids.next("lease"),
    isTurnedAway: () => isTurnedAway,
  };
}

/** The processor, with every failure of a call told. */
function watched(
  processor: Processor,
  failed: (error: unknown) => void,
): Processor {
  return new Proxy(processor, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name);
      if (typeof call !== "function") return call;
      return async (...input: unknown[]) => {
        try {
          return await call.apply(target, input);
        } catch (error) {
          failed(error);
          throw error;
        }
      };
    },
  });
}

/** The lease ran out and another worker took over: stop without writing. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** A candidate at a place in the frozen ranking. */
export interface Turn {
  settlement: Settlement;
  position: number;
  candidate: Candidate;
}

/** Whom and what the candidate's invoice is for. */
export function invoiceOwner({ day }: Saga, { candidate }: Turn): InvoiceOwner {
  const { accountId, bidId } = candidate;
  return { accountId, day, bidId };
}

/** The first candidate still to be decided; null when all were passed over. */
export function nextTurn(settlement: Settlement): Turn | null {
  const position = settlement.candidates.findIndex(
    ({ step }) => step !== "passed_over",
  );
  const candidate = settlement.candidates[position];
  return candidate === undefined ? null : { settlement, position, candidate };
}

/** What a step changes of its candidate. */
export type CandidateChanges = Partial<Candidate> & Pick<Candidate, "step">;

/** The settlement with one candidate moved along its arrows, lease renewed. */
export function withCandidate(
  settlement: Settlement,
  turn: Turn,
  changes: CandidateChanges,
  nowMs: number,
): Settlement {
  const current = settlement.candidates[turn.position];
  invariant(
    current !== undefined && current.step === turn.candidate.step,
    `the candidate at ${turn.position} of ${settlement.day} was not moved`,
  );
  advance(CANDIDATE_STEPS, current.step, changes.step);
  const move = { step: changes.step, atMs: nowMs };
  const moves = [...current.moves ?? [], move];
  const moved = { ...current, ...changes, stepSinceMs: nowMs, moves };
  return {
    ...settlement,
    candidates: settlement.candidates.with(turn.position, moved),
    attempts: 0,
    leaseUntilMs: nowMs + LEASE_MS,
  };
}

/** The settlement inside a transaction, which checks that the lease still holds. */
export async function leasedSettlement(
  saga: Saga,
  tx: Transaction,
): Promise<Settlement> {
  const settlement = await tx.settlements.find(saga.day);
  if (settlement?.leaseOwner !== saga.owner) throw new LeaseLost();
  return settlement;
}

/**
 * Changes the settlement in one commit with what else `change` writes.
 *
 * @throws {LeaseLost} without writing anything
 */
export async function changeSettlement(
  saga: Saga,
  change: (
    settlement: Settlement,
    tx: Transaction,
    nowMs: number,
  ) => Settlement | Promise<Settlement>,
): Promise<Settlement> {
  const { store, clock } = saga.services;
  const [before, after] = await store.transact(async (tx) => {
    const settlement = await leasedSettlement(saga, tx);
    const changed = await change(settlement, tx, clock.now());
    tx.settlements.save(changed);
    return [settlement, changed];
  });
  logProgress(saga, before, after);
  return after;
}

/** Tells the log whose turn is over, and how the day has ended. */
function logProgress(
  { services: { log } }: Saga,
  before: Settlement,
  { day, state, candidates }: Settlement,
): void {
  for (
    const [position, { step, bidId, passedOverAs }] of candidates.entries()
  ) {
    const isNew = before.candidates[position]?.step !== step;
    if (step !== "passed_over" || !isNew) continue;
    log.info("settlement.passed_over", { day, bid: bidId, as: passedOverAs });
  }
  if (state !== "settled") return;
  const isWon = candidates.some(({ step }) => step === "won");
  const passedOver = candidates.filter(({ step }) => step === "passed_over");
  log.info("settlement.settled", {
    day,
    outcome: isWon ? "won" : "house",
    passed_over: passedOver.length,
  });
}

/**
 * Records the outcome of a step before the next one starts, in one commit with
 * what else `change` writes.
 *
 * @throws {LeaseLost} without writing anything
 */
export function moveCandidate(
  saga: Saga,
  turn: Turn,
  change:
    | CandidateChanges
    | ((tx: Transaction, nowMs: number) => Promise<CandidateChanges>),
): Promise<Settlement> {
  return changeSettlement(saga, async (settlement, tx, nowMs) => {
    const changes = typeof change === "function"
      ? await change(tx, nowMs)
      : change;
    return withCandidate(settlement, turn, changes, nowMs);
  });
}

/** The settlement with as much time as a step takes at most. */
export function withLeaseRenewed(
  settlement: Settlement,
  nowMs: number,
): Settlement {
  return { ...settlement, leaseUntilMs: nowMs + LEASE_MS };
}
