import { difference, type Movement } from "../ledger/book_entry.ts";
import type { DisputeStanding } from "../payments/processor_disputes.ts";
import type { TransitionTable } from "../state_machine.ts";

/** How a dispute stands; `unseen` before it was first looked at. */
export type DisputeState = "unseen" | DisputeStanding;

/**
 * The way of a dispute. Events come late, twice or not at all, so any state
 * may be the first that is seen; a decision may be appealed.
 */
export const DISPUTE_STATES: TransitionTable<DisputeState> = {
  unseen: ["warning", "prevented", "open", "won", "lost"],
  warning: ["prevented", "open", "won", "lost"],
  prevented: ["open", "won", "lost"],
  open: ["won", "lost", "warning", "prevented"],
  won: ["open", "lost"],
  lost: ["open", "won"],
};

/**
 * Where the money of a lost dispute is booked to: a loss, or what was to be
 * given back anyway and so has been.
 */
export type DisputeLoss = "dispute_losses" | "refunds_due";

/** A dispute (chargeback) of one of our payments. */
export interface Dispute {
  id: string;
  state: DisputeState;
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
  loss: DisputeLoss;
  /** How often it has moved: part of its entries' ids. */
  moves: number;
}

/**
 * The states on the way to the one that is seen. A bank that decides has taken
 * the money first, also when nobody saw it: each movement is booked.
 */
export function wayTo(from: DisputeState, to: DisputeState): DisputeState[] {
  if (from === to) return [];
  const isDecided = to === "won" || to === "lost";
  const wasHeld = from === "open" || from === "won" || from === "lost";
  return isDecided && !wasHeld ? ["open", to] : [to];
}

/** Whether the account stays out of auctions. */
export function isBlocking(state: DisputeState): boolean {
  return state === "open" || state === "lost";
}

/** What has to be booked when a dispute moves; nothing where money stays. */
export function movementOf(dispute: Dispute, to: DisputeState): Movement {
  return difference(
    standingOf(dispute, dispute.state),
    standingOf(dispute, to),
  );
}

/** What a dispute has done to the money, seen from before it. */
function standingOf(
  { amountCents, loss }: Dispute,
  state: DisputeState,
): Movement {
  switch (state) {
    case "open":
      return { processor_clearing: -amountCents, disputed_funds: amountCents };
    case "lost":
      return { processor_clearing: -amountCents, [loss]: amountCents };
    case "unseen":
    case "warning":
    case "prevented":
    case "won":
      return {};
  }
}
