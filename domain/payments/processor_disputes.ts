/**
 * Disputes (chargebacks) as the processor knows them.
 *
 * @module
 */
import type { Outcome, Page, TimeSpan } from "./outcome.ts";

/** What a dispute means for the money. */
export type DisputeStanding =
  /** The disputed amount is held until it is decided. */
  | "open"
  | "won"
  /** What was not given back by then is gone. */
  | "lost"
  /** An inquiry, or one that was prevented: as a rule no money moved. */
  | "warning"
  | "prevented";

/**
 * Whether what was taken by then is gone. One that was prevented is over, too: as
 * where a bank gives the money back by itself, it may have taken it all the same.
 */
export function isMoneyGone(standing: DisputeStanding): boolean {
  return standing === "lost" || standing === "prevented";
}

/** A movement of our balance that a dispute made. */
export interface DisputeMovement {
  /** The processor's, of the movement. */
  id: string;
  /** Gross and signed: money that was taken from us is negative. */
  amountCents: number;
}

/** A dispute of a payment. */
export interface ProcessorDispute {
  id: string;
  standing: DisputeStanding;
  /** What the payer objects to; what moved is in `movements`. */
  amountCents: number;
  /** What the bank took and brought back so far. */
  movements: readonly DisputeMovement[];
  paymentId: string | null;
  reason: string;
  createdAtMs: number;
  evidenceDueAtMs: number | null;
}

/** The part of the port that tells of disputes. */
export interface DisputeProcessor {
  retrieveDispute(id: string): Promise<Outcome<ProcessorDispute>>;
  /** Newest first; the cursor is the last page's `nextCursor`. */
  listDisputes(
    createdMs: TimeSpan,
    cursor: string | null,
    limit: number,
  ): Promise<Outcome<Page<ProcessorDispute>>>;
  /**
   * All of one payment.
   *
   * @throws {ProcessorUncertain} also when there are more than 100
   */
  listDisputesOf(paymentId: string): Promise<Outcome<ProcessorDispute[]>>;
}
