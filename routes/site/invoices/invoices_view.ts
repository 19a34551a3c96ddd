import { archiveStates } from "../../../domain/invoices/archive_states.ts";
import type { Invoice } from "../../../domain/invoices/invoice.ts";
import { readVats } from "../../../domain/invoices/invoice_details.ts";
import {
  type InvoiceStatus,
  invoiceStatus,
} from "../../../domain/invoices/invoice_status.ts";
import type { Services } from "../../../domain/ports.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { InvoiceVat } from "../../../domain/tax/invoice_vat.ts";
import { showAmount, showEuros } from "../../../domain/text/euros.ts";

/** How an invoice stands, in plain words. */
export const STATUS_WORDS: Readonly<Record<InvoiceStatus, string>> = {
  open: "To be paid",
  paid: "Paid",
  refund_pending: "Refund on its way",
  refunded: "Refunded",
  charged_back: "Taken back by your bank",
  uncollectible: "Not collected",
  void: "Cancelled",
};

/** What happens with one that needs a word more; null where none does. */
const STATUS_HINTS: Readonly<Record<InvoiceStatus, string | null>> = {
  open: "The card of your bid is being charged. There is nothing to do.",
  paid: null,
  refund_pending: "It may take your bank some days to show it.",
  refunded: null,
  charged_back: null,
  uncollectible: null,
  void: "There is nothing to pay. The card was refused, or the bid no longer " +
    "stood, so it did not win.",
};

/** A printed document as a page shows it. */
export interface DocumentView {
  number: string;
  /**
   * Where its PDF is, or that it is not there yet or won't be by itself; null
   * for what was cancelled, whose PDF was printed before and doesn't say so.
   */
  pdf: { path: string } | "soon" | "missing" | null;
}

/** A correction of an invoice as a page shows it. */
export interface CreditNoteView extends DocumentView {
  total: string;
  createdAtMs: number;
}

/** An invoice as a page shows it. */
export interface InvoiceView extends DocumentView {
  /** The page that it has. */
  path: string;
  day: string;
  isCancelled: boolean;
  status: string;
  hint: string | null;
  /** Amounts in euros, without the currency. */
  net: string;
  /** The VAT in it, or why there is none. */
  vat: string;
  total: string;
  finalizedAtMs: number;
  paidAtMs: number | null;
  creditNotes: readonly CreditNoteView[];
}

/** The page of an invoice. */
export function invoicePath(number: string): string {
  return `${PAGES.invoices}/${encodeURIComponent(number)}`;
}

/** Makes the pages' view of invoices. */
export async function invoiceViews(
  services: Pick<Services, "store">,
  invoices: readonly Invoice[],
): Promise<InvoiceView[]> {
  const numbers = invoices.flatMap(({ number, creditNotes }) => [
    number,
    ...creditNotes.map((note) => note.number),
  ]);
  const [states, vats] = await Promise.all([
    archiveStates(services, numbers),
    readVats(services, invoices),
  ]);
  const pdfOf = (number: string, path: string): DocumentView["pdf"] => {
    const state = states.get(number);
    if (state === "stored") return { path: `${path}/pdf` };
    return state === "impossible" ? "missing" : "soon";
  };
  return invoices.map((invoice) => {
    const path = invoicePath(invoice.number);
    const isCancelled = invoiceStatus(invoice) === "void";
    return {
      ...wordsOf(invoice, vats.get(invoice.id)),
      path,
      isCancelled,
      number: invoice.number,
      pdf: isCancelled ? null : pdfOf(invoice.number, path),
      day: invoice.day,
      finalizedAtMs: invoice.finalizedAtMs,
      paidAtMs: invoice.paidAtMs,
      creditNotes: invoice.creditNotes.map((note) => ({
        number: note.number,
        pdf: pdfOf(
          note.number,
          `${path}/credit_notes/${encodeURIComponent(note.number)}`,
        ),
        total: showEuros(note.totalCents),
        createdAtMs: note.createdAtMs,
      })),
    };
  });
}

function wordsOf(
  { state, money, totalCents, taxCents }: Invoice,
  vat: InvoiceVat | undefined,
) {
  const status = invoiceStatus({ state, money });
  return {
    status: STATUS_WORDS[status],
    hint: STATUS_HINTS[status],
    net: showAmount(totalCents - taxCents),
    vat: vatWords(taxCents, vat),
    total: showAmount(totalCents),
  };
}

function vatWords(taxCents: number, vat: InvoiceVat | undefined): string {
  if (taxCents > 0) return showAmount(taxCents);
  switch (vat?.treatment) {
    case "reverse_charge":
      return "Reverse charge";
    case "outside_scope":
      return "Outside EU VAT";
    default:
      return "None";
  }
}
