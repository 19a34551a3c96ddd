/**
 * Credit notes, which correct finalised invoices.
 *
 * @module
 */
import type { Outcome } from "./processor.ts";

/** A correction of an invoice with a number of its own. */
export interface CreditNote {
  id: string;
  number: string;
  invoiceId: string;
  totalCents: number;
  /** VAT contained in the total. */
  taxCents: number;
  /** What gave the money back; null when it was not ours to give. */
  refundId: string | null;
  createdAtMs: number;
}

/** The part of the port that corrects invoices. */
export interface CreditNoteProcessor {
  /**
   * Corrects a paid invoice, and gives the money back when `refund` says so.
   */
  createCreditNote(
    input: {
      invoiceId: string;
      amountCents: number;
      reason: "duplicate" | "order_change" | "fraudulent";
      refund: boolean;
      metadata: Record<string, string>;
    },
    idempotencyKey: string,
  ): Promise<Outcome<CreditNote>>;
  /** Newest first, at most 100. */
  listCreditNotes(invoiceId: string): Promise<Outcome<CreditNote[]>>;
  /** The printed note; refused as an invoice's is. */
  downloadCreditNotePdf(
    id: string,
    maxBytes: number,
  ): Promise<Outcome<Uint8Array<ArrayBuffer>>>;
}
