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
  reason: string;
  openedAtMs: number;
  evidenceDueAtMs: number | null;
  /** How often it has moved: part of its entries' ids. */
  moves: number;
}

/** What an invoice's dispute has done to the money, seen from before it. */
export function standingOf(
  state: DisputeState,
  amountCents: number,
  /** A payment that was to be given back anyway: then it is, this way. */
  wasSold: boolean,
): Movement {
  switch (state) {
    case "open":
      return { processor_clearing: -amountCents, disputed_funds: amountCents };
    case "lost":
      return {
        processor_clearing: -amountCents,
        [wasSold ? "dispute_losses" : "refunds_due"]: amountCents,
      };
    case "unseen":
    case "warning":
    case "prevented":
    case "won":
      return {};
  }
}

/** What has to be booked when a dispute moves. */
export function movementOf(
  from: DisputeState,
  to: DisputeState,
  { amountCents, wasSold }: { amountCents: number; wasSold: boolean },
): Movement {
  return difference(
    standingOf(from, amountCents, wasSold),
    standingOf(to, amountCents, wasSold),
  );
}
