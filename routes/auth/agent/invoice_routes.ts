import { type Day, isoTime } from "../../../domain/day.ts";
import { findOwnInvoice } from "../../../domain/invoices/find_own_invoice.ts";
import type {
  Invoice,
  InvoiceCreditNote,
} from "../../../domain/invoices/invoice.ts";
import { invoiceStatus } from "../../../domain/invoices/invoice_status.ts";
import { listOwnInvoices } from "../../../domain/invoices/list_own_invoices.ts";
import { findOwnPdf } from "../../../domain/invoices/own_pdf.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  INVOICE_POSITION,
  invoicePlace,
  invoicePosition,
} from "../../invoice_position.ts";
import { grantWith } from "../../middleware/bearer.ts";
import { pdfAnswer } from "../../http/pdf_answer.ts";
import { type Route, route, type RouteContext } from "../../route_table.ts";
import { agentAnswer } from "./agent_answer.ts";
import {
  type ListAnswer,
  listAnswer,
  type ListQuery,
  parseListQuery,
} from "../../http/list_query.ts";

const PATH = "/v1/agent/invoices";

/** How a refusal of the list begins. */
export const INVOICES_ACTION = "Cannot list the invoices";

/** Invoices and their PDFs, for `invoices:read` (contract §7.10). */
export function invoiceRoutes(services: Services): Route[] {
  const { authUrl } = services.settings;
  return [
    route("GET", PATH, (context) => list(services, context)),
    route("GET", `${PATH}/:number`, async (context) => {
      const { accountId } = grantWith(context, "invoices:read");
      const number = context.req.param("number");
      const own = await findOwnInvoice(services, { accountId, number });
      return agentAnswer(context, wireInvoice(own, authUrl));
    }),
    route(
      "GET",
      `${PATH}/:number/pdf`,
      (context) => sendPdf(services, context, context.req.param("number")),
    ),
    route(
      "GET",
      `${PATH}/:number/credit_notes/:note/pdf`,
      (context) => {
        const { number, note } = context.req.param();
        return sendPdf(services, context, number, note);
      },
    ),
  ];
}

async function list(
  services: Services,
  context: RouteContext,
): Promise<Response> {
  const { accountId } = grantWith(context, "invoices:read");
  const asked = parseListQuery(context, INVOICES_ACTION, INVOICE_POSITION);
  return agentAnswer(context, await invoicesPage(services, accountId, asked));
}

/** A part of the account's invoices, newest first. */
export async function invoicesPage(
  services: Services,
  accountId: string,
  asked: ListQuery,
): Promise<ListAnswer<WireInvoice>> {
  const following = await listOwnInvoices(services, {
    accountId,
    limit: asked.limit + 1,
    before: invoicePlace(asked.after),
  });
  const { authUrl } = services.settings;
  return listAnswer(following, asked, {
    wire: (invoice) => wireInvoice(invoice, authUrl),
    positionOf: invoicePosition,
  });
}

async function sendPdf(
  services: Services,
  context: RouteContext,
  number: string,
  noteNumber: string | null = null,
): Promise<Response> {
  const { accountId } = grantWith(context, "invoices:read");
  const pdf = await findOwnPdf(services, { accountId, number, noteNumber });
  const headers = context.get("rateHeaders");
  return await pdfAnswer(services, context.req.raw, pdf, headers);
}

/** A credit note beside its invoice. */
export interface WireNote {
  number: string;
  total_cents: number;
  tax_cents: number;
  created_at: string;
  /** Where its document is read, with the same token. */
  pdf: string;
}

/** An invoice as the agent API shows it. */
export interface WireInvoice {
  number: string;
  day: Day;
  status: string;
  total_cents: number;
  tax_cents: number;
  currency: "EUR";
  finalized_at: string;
  paid_at: string | null;
  credit_notes: WireNote[];
  pdf: string;
}

/** An invoice as it goes out, member by member. */
export function wireInvoice(
  invoice: Invoice,
  authUrl: string,
): WireInvoice {
  const own = `${authUrl}${PATH}/${encodeURIComponent(invoice.number)}`;
  return {
    number: invoice.number,
    day: invoice.day,
    status: invoiceStatus(invoice),
    total_cents: invoice.totalCents,
    tax_cents: invoice.taxCents,
    currency: "EUR",
    finalized_at: isoTime(invoice.finalizedAtMs),
    paid_at: invoice.paidAtMs === null ? null : isoTime(invoice.paidAtMs),
    credit_notes: invoice.creditNotes.map((note) => wireNote(note, own)),
    pdf: `${own}/pdf`,
  };
}

function wireNote(
  { number, totalCents, taxCents, createdAtMs }: InvoiceCreditNote,
  invoiceUrl: string,
): WireNote {
  return {
    number,
    total_cents: totalCents,
    tax_cents: taxCents,
    created_at: isoTime(createdAtMs),
    pdf: `${invoiceUrl}/credit_notes/${encodeURIComponent(number)}/pdf`,
  };
}
