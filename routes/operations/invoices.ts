import type { z } from "zod";
import { isoOrNull, isoTime } from "../../domain/day.ts";
import { findOwnInvoice } from "../../domain/invoices/find_own_invoice.ts";
import type { Invoice } from "../../domain/invoices/invoice.ts";
import { invoiceStatus } from "../../domain/invoices/invoice_status.ts";
import { listOwnInvoices } from "../../domain/invoices/list_own_invoices.ts";
import {
  findOwnPdf,
  type OwnPdf,
  readOwnPdf,
} from "../../domain/invoices/own_pdf.ts";
import type { BearerGrant } from "../../domain/oauth/grant.ts";
import type { Services } from "../../domain/ports.ts";
import type { Answer } from "../shapes/operation.ts";
import type { invoice } from "../shapes/records.ts";
import { ID_MAX, judgedText } from "../http/bounded_text.ts";
import { listPage } from "../http/list_query.ts";
import { pdfAnswer } from "../http/pdf_answer.ts";
import { INVOICE_POSITIONS } from "../http/positions.ts";
import type { RouteContext } from "../route_table.ts";
import { type AgentOperation, download, reading } from "./operation.ts";

const PDF: Answer = {
  description: "The document",
  content: { "application/pdf": "Pdf" },
};

/** Invoices and their PDFs, for `invoices:read` (contract §7.10). */
export const INVOICE_OPERATIONS: readonly AgentOperation[] = [
  reading({
    at: "GET /invoices",
    scope: "invoices:read",
    id: "listInvoices",
    summary: "List your invoices",
    docs: "`{items, next_cursor}`: your own invoices, newest first.",
    tool: "list_invoices",
    title: "Invoices",
    description: "Lists the account's invoices with their credit notes, " +
      "newest first.",
    schema: "InvoiceList",
    action: "Cannot list the invoices",
    positions: INVOICE_POSITIONS.shape,
    read: (services, { grant: { accountId }, page, documentsAt }) =>
      listPage(INVOICE_POSITIONS, page, {
        list: (part) => listOwnInvoices(services, { accountId, ...part }),
        placeOf: (invoice) => invoice,
        wire: (invoice) => invoiceRecord(invoice, documentsAt),
      }),
  }),
  reading({
    at: "GET /invoices/{number}",
    scope: "invoices:read",
    id: "readInvoice",
    summary: "Read an invoice of yours",
    docs: "One of them.",
    tool: "get_invoice",
    title: "One invoice",
    description: "Reads an invoice of the account. Its pdf, and that of each " +
      "credit note, is a resource of this server: resources/read answers it.",
    argument: [
      "number",
      judgedText(ID_MAX).describe("Its number, from list_invoices or an event"),
    ],
    schema: "Invoice",
    async read(
      services,
      { grant: { accountId }, id: number, documentsAt },
    ) {
      const own = await findOwnInvoice(services, { accountId, number });
      return invoiceRecord(own, documentsAt);
    },
  }),
  download({
    at: "GET /invoices/{number}/pdf",
    scope: "invoices:read",
    id: "readInvoicePdf",
    summary: "Download an invoice",
    docs: "Its PDF, `application/pdf`.",
    title: "An invoice as PDF",
    mimeType: "application/pdf",
    answers: { 200: PDF },
    document: pdfBytes,
    send: sendPdf,
  }),
  download({
    at: "GET /invoices/{number}/credit_notes/{note}/pdf",
    scope: "invoices:read",
    id: "readCreditNotePdf",
    summary: "Download a credit note",
    docs: "The PDF of a credit note of it.",
    title: "A credit note as PDF",
    mimeType: "application/pdf",
    answers: { 200: PDF },
    document: pdfBytes,
    send: sendPdf,
  }),
];

/** What stands in the path of a printed document. */
type PdfPath = Readonly<Record<string, string>>;

function pdfOf(
  services: Services,
  { accountId }: BearerGrant,
  { number = "", note }: PdfPath,
): Promise<OwnPdf> {
  const noteNumber = note ?? null;
  return findOwnPdf(services, { accountId, number, noteNumber });
}

async function pdfBytes(
  services: Services,
  grant: BearerGrant,
  path: PdfPath,
): Promise<Uint8Array<ArrayBuffer>> {
  return await readOwnPdf(services, await pdfOf(services, grant, path));
}

async function sendPdf(
  services: Services,
  grant: BearerGrant,
  context: RouteContext,
): Promise<Response> {
  const pdf = await pdfOf(services, grant, context.req.param());
  const headers = context.get("rateHeaders");
  return await pdfAnswer(services, context.req.raw, pdf, headers);
}

/** @param documentsAt what addresses begin with that the reader's token opens */
function invoiceRecord(
  { number, day, creditNotes, ...rest }: Invoice,
  documentsAt: string,
): z.infer<typeof invoice> {
  const own = `${documentsAt}/invoices/${encodeURIComponent(number)}`;
  return {
    number,
    day,
    status: invoiceStatus(rest),
    total_cents: rest.totalCents,
    tax_cents: rest.taxCents,
    currency: "EUR",
    finalized_at: isoTime(rest.finalizedAtMs),
    paid_at: isoOrNull(rest.paidAtMs),
    credit_notes: creditNotes.map((note) => ({
      number: note.number,
      total_cents: note.totalCents,
      tax_cents: note.taxCents,
      created_at: isoTime(note.createdAtMs),
      pdf: `${own}/credit_notes/${encodeURIComponent(note.number)}/pdf`,
    })),
    pdf: `${own}/pdf`,
  };
}
