import {
  type DisputeStanding,
  isMoneyGone,
} from "../payments/processor_disputes.ts";
import type { TransitionTable } from "../state_machine.ts";

/** The state of a dispute; `unseen` before it was first synced. */
export type DisputeState = "unseen" | DisputeStanding;

/**
 * The way of a dispute. Events come late, twice or not at all, a decision may
 * be appealed, and the processor names no order in which its states follow each
 * other: whatever it says is taken. See {@linkcode isExpected}.
 */
export const DISPUTE_STATES: TransitionTable<DisputeState> = {
  unseen: ["warning", "prevented", "open", "won", "lost"],
  warning: ["prevented", "open", "won", "lost"],
  prevented: ["warning", "open", "won", "lost"],
  open: ["won", "lost", "warning", "prevented"],
  won: ["open", "lost", "warning", "prevented"],
  lost: ["open", "won", "warning", "prevented"],
};

/** Ways that banks are known to go, from the state of our last sync. */
const EXPECTED: TransitionTable<DisputeState> = {
  unseen: ["warning", "prevented", "open", "won", "lost"],
  warning: ["prevented", "open", "won", "lost"],
  prevented: ["open", "won", "lost"],
  open: ["won", "lost", "warning", "prevented"],
  won: ["open", "lost"],
  lost: ["open", "won"],
};

/**
 * What a dispute has done to the money of its payment, cents. What of it was to
 * be given back is as it was when the dispute last moved: the books go by what
 * went back of the payment since.
 */
export interface Withheld {
  /** The bank holds it until it has decided. */
  heldCents: number;
  /** Gone for good, and our loss. */
  lostCents: number;
  /** Gone for good, but was to be given back anyway. */
  dueCents: number;
}

/** A dispute (chargeback) of one of our payments. */
export interface Dispute extends Withheld {
  id: string;
  state: DisputeState;
  /** What the payer objects to; what moved stands in {@linkcode Withheld}. */
  amountCents: number;
  paymentId: string;
  /** Whose payment it is; null for a report bought without an account. */
  accountId: string | null;
  /** The invoice that was paid; null for a report. */
  invoiceId: string | null;
  /** In the processor's words. */
  reason: string;
  openedAtMs: number;
  evidenceDueAtMs: number | null;
  /** The processor's movements that are booked, by their ids. */
  movementIds: readonly string[];
  /** How often it has changed: part of its entries' ids. */
  moves: number;
}

/** Whether a bank is known to go that way; any other is told. */
export function isExpected(from: DisputeState, to: DisputeState): boolean {
  return from === to || EXPECTED[from].includes(to);
}

/**
 * Whether it ended against us. One that was prevented may have taken the money
 * all the same, as where the bank gives it back by itself.
 */
export function isLost(
  { state, lostCents }: Pick<Dispute, "state" | "lostCents">,
): boolean {
  return state === "lost" || (state === "prevented" && lostCents > 0);
}

/** Whether the account stays out of auctions. */
export function isBlocking(
  dispute: Pick<Dispute, "state" | "lostCents">,
): boolean {
  return dispute.state === "open" || isLost(dispute);
}

/** Whether it may still cost money, or the bank still has some of ours. */
export function isUndecided(
  { state, heldCents }: Pick<Dispute, "state" | "heldCents">,
): boolean {
  return state === "open" || state === "warning" || heldCents !== 0;
}

/** What the bank has taken and not brought back, cents. */
export function withheldCents(
  { heldCents, lostCents, dueCents }: Withheld,
): number {
  return heldCents + lostCents + dueCents;
}

/**
 * Where so many cents stand in the books. A dispute that was prevented is over:
 * what it took all the same is gone. One that was won brings it back yet.
 *
 * @param dueCents what of the payment was to be given back anyway
 */
export function withheldIn(
  state: DisputeState,
  cents: number,
  dueCents: number,
): Withheld {
  const isGone = state !== "unseen" && isMoneyGone(state);
  if (!isGone) return { heldCents: cents, lostCents: 0, dueCents: 0 };
  const due = Math.max(0, Math.min(cents, dueCents));
  return { heldCents: 0, lostCents: cents - due, dueCents: due };
}
