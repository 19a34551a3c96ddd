/**
 * Credit notes, which correct finalised invoices.
 *
 * @module
 */
import type { Outcome } from "./outcome.ts";

/** Money that was given back, or is on its way back to the payer. */
export interface ProcessorRefund {
  id: string;
  amountCents: number;
}

/** How a refund stands. */
export interface RefundStanding extends ProcessorRefund {
  paymentId: string | null;
  /** It came back: the money was not given back. */
  hasFailed: boolean;
}

/** A correction of an invoice with a number of its own. */
export interface CreditNote {
  id: string;
  number: string;
  totalCents: number;
  /** VAT contained in the total. */
  taxCents: number;
  /**
   * What gave the money back, and how much of each the note is for; none when it
   * went another way.
   */
  refunds: readonly ProcessorRefund[];
  createdAtMs: number;
}

/** The part of the port that corrects invoices. */
export interface CreditNoteProcessor {
  /**
   * Corrects a paid invoice. `refundCents` of it are given back now, `refunds`
   * have been; what then is missing went back another way.
   */
  createCreditNote(
    input: {
      invoiceId: string;
      amountCents: number;
      reason: "duplicate" | "order_change" | "fraudulent";
      refundCents: number;
      refunds: readonly ProcessorRefund[];
      metadata: Record<string, string>;
    },
    idempotencyKey: string,
  ): Promise<Outcome<CreditNote>>;
  /**
   * All that stand, newest first.
   *
   * @throws {ProcessorUncertain} also when there are more than 100
   */
  listCreditNotes(invoiceId: string): Promise<Outcome<CreditNote[]>>;
  /** The printed note; refused as an invoice's is. */
  downloadCreditNotePdf(
    id: string,
    maxBytes: number,
  ): Promise<Outcome<Uint8Array<ArrayBuffer>>>;
}
