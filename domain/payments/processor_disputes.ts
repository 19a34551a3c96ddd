/**
 * Disputes (chargebacks) as the processor knows them.
 *
 * @module
 */
import type { Outcome } from "./processor.ts";
import type { Page, TimeSpan } from "./processor_books.ts";

/** What a dispute means for the money. */
export type DisputeStanding =
  /** The disputed amount is held until it is decided. */
  | "open"
  | "won"
  | "lost"
  /** An inquiry, or one that was prevented: no money moved. */
  | "warning"
  | "prevented";

/** A dispute of a payment. */
export interface ProcessorDispute {
  id: string;
  standing: DisputeStanding;
  /** The processor's own word, for the operator. */
  rawStatus: string;
  amountCents: number;
  paymentId: string | null;
  chargeId: string;
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
}
