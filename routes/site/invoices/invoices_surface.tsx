import { listOwnInvoices } from "../../../domain/invoices/list_own_invoices.ts";
import { findOwnPdf } from "../../../domain/invoices/own_pdf.ts";
import { PAGES } from "../../../domain/pages.ts";
import { listPage, parseListQuery } from "../../http/list_query.ts";
import { pdfAnswer } from "../../http/pdf_answer.ts";
import { INVOICE_POSITIONS } from "../../http/positions.ts";
import { limitCallsBeside } from "../../middleware/person_limits.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage, type PageRequest } from "../pages/advertiser_page.ts";
import { InvoicesPage } from "./invoices_page.tsx";
import { invoiceViews } from "./invoices_view.ts";

const PATH = PAGES.invoices;

/** The invoices of an account, and their printed form: `/invoices`. */
export function invoicesSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PATH,
    proceed: [limitCallsBeside(parts, PATH)],
    get: {
      [PATH]: showInvoices,
      [`${PATH}/:number/pdf`]: sendPdf,
      [`${PATH}/:number/credit_notes/:note/pdf`]: sendPdf,
    },
  });
}

async function showInvoices(
  { services, accountId, context, show }: PageRequest,
): Promise<Response> {
  const action = "Cannot show the invoices";
  const asked = parseListQuery(context, action, INVOICE_POSITIONS.shape);
  const page = await listPage(INVOICE_POSITIONS, asked, {
    list: (part) => listOwnInvoices(services, { accountId, ...part }),
    placeOf: (invoice) => invoice,
    wire: (invoice) => invoice,
  });
  return show(
    <InvoicesPage
      invoices={await invoiceViews(services, page.items)}
      isFurtherOn={asked.after !== null}
      nextCursor={page.next_cursor}
    />,
  );
}

/** An invoice, or one of its credit notes where the address names one. */
async function sendPdf(
  { services, accountId, context, param }: PageRequest,
): Promise<Response> {
  const pdf = await findOwnPdf(services, {
    accountId,
    number: param("number"),
    noteNumber: param("note") || null,
  });
  return await pdfAnswer(services, context.req.raw, pdf);
}
