import { type Day, isoOrNull, isoTime } from "../day.ts";
import type { Invoice, InvoiceCreditNote } from "./invoice.ts";
import { invoiceStatus } from "./invoice_status.ts";

/** A credit note beside its invoice. */
export interface CreditNoteRecord {
  number: string;
  total_cents: number;
  tax_cents: number;
  created_at: string;
  /** Where its document is read, with the same token. */
  pdf: string;
}

/** An invoice as the agent API shows it. */
export interface InvoiceRecord {
  number: string;
  day: Day;
  status: string;
  total_cents: number;
  tax_cents: number;
  currency: "EUR";
  finalized_at: string;
  paid_at: string | null;
  credit_notes: CreditNoteRecord[];
  pdf: string;
}

/** An invoice as it goes out, member by member. */
export function toInvoiceRecord(
  invoice: Invoice,
  authUrl: string,
): InvoiceRecord {
  const own = `${authUrl}/v1/agent/invoices/${
    encodeURIComponent(invoice.number)
  }`;
  return {
    number: invoice.number,
    day: invoice.day,
    status: invoiceStatus(invoice),
    total_cents: invoice.totalCents,
    tax_cents: invoice.taxCents,
    currency: "EUR",
    finalized_at: isoTime(invoice.finalizedAtMs),
    paid_at: isoOrNull(invoice.paidAtMs),
    credit_notes: invoice.creditNotes.map((note) =>
      toCreditNoteRecord(note, own)
    ),
    pdf: `${own}/pdf`,
  };
}

function toCreditNoteRecord(
  { number, totalCents, taxCents, createdAtMs }: InvoiceCreditNote,
  invoiceUrl: string,
): CreditNoteRecord {
  return {
    number,
    total_cents: totalCents,
    tax_cents: taxCents,
    created_at: isoTime(createdAtMs),
    pdf: `${invoiceUrl}/credit_notes/${encodeURIComponent(number)}/pdf`,
  };
}
