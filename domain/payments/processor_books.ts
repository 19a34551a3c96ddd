/**
 * The processor's own books, against which ours are reconciled.
 *
 * @module
 */
import type { Outcome, Page, TimeSpan } from "./outcome.ts";

/**
 * Why a balance moved. `refund_failure`: a refund came back; `payout`: to our
 * own bank account and back; `fee`: what the processor takes for itself. Neither
 * of these two is a buyer's money. `transfer`: to a partner, and back.
 */
export type BalanceMovement =
  | "charge"
  | "refund"
  | "refund_failure"
  | "dispute"
  | "dispute_reversal"
  | "payout"
  | "fee"
  | "transfer"
  | "transfer_reversal"
  | "other";

/** One movement of our balance at the processor. */
export interface BalanceTransaction {
  id: string;
  type: BalanceMovement;
  /** Gross and signed: money that came is positive. */
  amountCents: number;
  /** The payment that was taken, given back or disputed, or the transfer. */
  paymentId: string | null;
  /** The charge, refund, dispute, transfer or reversal behind it. */
  sourceId: string;
  createdAtMs: number;
}

/** The part of the port that shows the books. */
export interface BooksProcessor {
  /** Newest first; the cursor is the last page's `nextCursor`. */
  listBalanceTransactions(
    createdMs: TimeSpan,
    cursor: string | null,
    limit: number,
  ): Promise<Outcome<Page<BalanceTransaction>>>;
}
