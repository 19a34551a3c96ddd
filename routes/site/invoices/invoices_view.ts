import { archiveStates } from "../../../domain/invoices/archive_states.ts";
import type { Invoice } from "../../../domain/invoices/invoice.ts";
import {
  type InvoiceStatus,
  invoiceStatus,
} from "../../../domain/invoices/invoice_status.ts";
import type { Services } from "../../../domain/ports.ts";
import { PAGES } from "../../../domain/pages.ts";
import { showEuros } from "../pages/euros.ts";

/** How an invoice stands, in plain words. */
const STATUS_WORDS: Readonly<Record<InvoiceStatus, string>> = {
  open: "To be paid",
  paid: "Paid",
  refund_pending: "The money is on its way back to you",
  refunded: "Paid back",
  charged_back: "Your bank took the money back",
  uncollectible: "Not collected",
  void: "Cancelled, nothing to pay",
};

/** What happens with one that needs a word more; null where none does. */
const STATUS_HINTS: Readonly<Record<InvoiceStatus, string | null>> = {
  open: "The card of your bid is being charged. There is nothing to do.",
  paid: null,
  refund_pending: "It may take your bank some days to show it.",
  refunded: null,
  charged_back: null,
  uncollectible: null,
  void: "The card was refused, or the bid no longer stood, so it did not win.",
};

/** A printed document as the page shows it. */
export interface DocumentView {
  number: string;
  /** Where its PDF is, or that it is not there yet or won't be by itself. */
  pdf: { path: string } | "soon" | "missing";
}

/** An invoice as the page shows it. */
export interface InvoiceView extends DocumentView {
  day: string;
  status: string;
  hint: string | null;
  total: string;
  /** What is said about VAT. */
  tax: string;
  finalizedAtMs: number;
  paidAtMs: number | null;
  creditNotes: readonly (DocumentView & {
    total: string;
    createdAtMs: number;
  })[];
}

/** Makes the page's view of invoices. */
export async function invoiceViews(
  services: Pick<Services, "store">,
  invoices: readonly Invoice[],
): Promise<InvoiceView[]> {
  const numbers = invoices.flatMap(({ number, creditNotes }) => [
    number,
    ...creditNotes.map((note) => note.number),
  ]);
  const states = await archiveStates(services, numbers);
  const pdfOf = (number: string, path: string): DocumentView["pdf"] => {
    const state = states.get(number);
    if (state === "stored") return { path: `${path}/pdf` };
    return state === "impossible" ? "missing" : "soon";
  };
  return invoices.map((invoice) => {
    const path = `${PAGES.invoices}/${encodeURIComponent(invoice.number)}`;
    const status = invoiceStatus(invoice);
    return {
      number: invoice.number,
      pdf: pdfOf(invoice.number, path),
      day: invoice.day,
      status: STATUS_WORDS[status],
      hint: STATUS_HINTS[status],
      total: showEuros(invoice.totalCents),
      tax: taxWords(invoice.taxCents),
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

function taxWords(taxCents: number): string {
  return taxCents === 0
    ? "no VAT charged"
    : `${showEuros(taxCents)} of it is VAT`;
}
