import type { Day } from "../day.ts";
import { invariant } from "../invariant.ts";
import type { InvoiceOwner } from "../invoices/record_invoice.ts";
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

/** Reads the settlement inside a transaction, proving the lease still holds. */
export async function leasedSettlement(
  saga: Saga,
  tx: Transaction,
): Promise<Settlement> {
  const settlement = await tx.settlements.find(saga.day);
  if (settlement === null || settlement.leaseOwner !== saga.owner) {
    throw new LeaseLost();
  }
  return settlement;
}

/** The settlement with one candidate moved along its arrows, lease renewed. */
export function withCandidate(
  settlement: Settlement,
  turn: Turn,
  changes: Partial<Candidate> & Pick<Candidate, "step">,
  nowMs: number,
): Settlement {
  const current = settlement.candidates[turn.position];
  invariant(
    current !== undefined && current.step === turn.candidate.step,
    `the candidate at ${turn.position} of ${settlement.day} was not moved`,
  );
  advance(CANDIDATE_STEPS, current.step, changes.step);
  const moved = { ...current, ...changes, stepSinceMs: nowMs };
  return {
    ...settlement,
    candidates: settlement.candidates.with(turn.position, moved),
    attempts: 0,
    leaseUntilMs: nowMs + LEASE_MS,
  };
}

/** Keeps the lease while a step asks the processor more than it mostly does. */
export function renewLease(saga: Saga): Promise<void> {
  const { store, clock } = saga.services;
  return store.transact(async (tx) => {
    const settlement = await leasedSettlement(saga, tx);
    const leaseUntilMs = clock.now() + LEASE_MS;
    tx.settlements.save({ ...settlement, leaseUntilMs });
  });
}

/** Records the outcome of a step before the next one starts. */
export function moveCandidate(
  saga: Saga,
  turn: Turn,
  changes: Partial<Candidate> & Pick<Candidate, "step">,
): Promise<Settlement> {
  const { store, clock } = saga.services;
  return store.transact(async (tx) => {
    const settlement = await leasedSettlement(saga, tx);
    const moved = withCandidate(settlement, turn, changes, clock.now());
    tx.settlements.save(moved);
    return moved;
  });
}
