import { readShownWindow } from "../../../domain/auction/read_shown_windows.ts";
import { filterOwnInvoices } from "../../../domain/invoices/filter_own_invoices.ts";
import { readInvoiceDetails } from "../../../domain/invoices/invoice_details.ts";
import type { InvoiceStatus } from "../../../domain/invoices/invoice_status.ts";
import { findOwnPdf } from "../../../domain/invoices/own_pdf.ts";
import { invariant } from "../../../domain/invariant.ts";
import { PAGES } from "../../../domain/pages.ts";
import { listPage, parseListQuery } from "../../http/list_query.ts";
import { pdfAnswer } from "../../http/pdf_answer.ts";
import { INVOICE_POSITIONS } from "../../http/positions.ts";
import { limitCallsBeside } from "../../middleware/person_limits.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage, type PageRequest } from "../pages/advertiser_page.ts";
import { InvoicePage } from "./invoice_page.tsx";
import { InvoicesPage } from "./invoices_page.tsx";
import { invoiceViews, STATUS_WORDS } from "./invoices_view.ts";
import { periodsBetween, timeOf } from "./period.ts";

const PATH = PAGES.invoices;

/** The invoices of an account, and their printed form: `/invoices`. */
export function invoicesSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PATH,
    proceed: [limitCallsBeside(parts, PATH)],
    get: {
      [PATH]: showInvoices,
      [`${PATH}/:number`]: showInvoice,
      [`${PATH}/:number/pdf`]: sendPdf,
      [`${PATH}/:number/credit_notes/:note/pdf`]: sendPdf,
    },
    waits: [`${PATH}/:number/pdf`, `${PATH}/:number/credit_notes/:note/pdf`],
  });
}

async function showInvoices(
  { services, account, context, query, show }: PageRequest,
): Promise<Response> {
  const action = "Cannot show the invoices";
  const asked = parseListQuery(context, action, INVOICE_POSITIONS.shape);
  // What is no period and no state shows all: a reader is not a program.
  const time = timeOf(query("period") ?? "");
  const status = statusOf(query("status"));
  const filter = { fromMs: null, untilMs: null, ...time, status };
  const page = await listPage(INVOICE_POSITIONS, asked, {
    list: (part) =>
      filterOwnInvoices(services, { accountId: account.id, filter, ...part }),
    placeOf: (invoice) => invoice,
    wire: (invoice) => invoice,
  });
  return show(
    <InvoicesPage
      invoices={await invoiceViews(services, page.items)}
      asked={{
        period: time === null ? "" : query("period") ?? "",
        status: status ?? "",
      }}
      periods={periodsBetween(account.createdAtMs, services.clock.now())}
      isFurtherOn={asked.after !== null}
      nextCursor={page.next_cursor}
    />,
  );
}

function statusOf(asked: string | null): InvoiceStatus | null {
  return asked !== null && Object.hasOwn(STATUS_WORDS, asked)
    ? asked as InvoiceStatus
    : null;
}

async function showInvoice(
  { services, account, param, show }: PageRequest,
): Promise<Response> {
  const details = await readInvoiceDetails(services, {
    accountId: account.id,
    number: param("number"),
  });
  const { invoice } = details;
  const [view] = await invoiceViews(services, [invoice]);
  invariant(view !== undefined, "an invoice has a view");
  const { seller } = services.settings;
  return show(
    <InvoicePage
      view={view}
      details={details}
      shown={await readShownWindow(services, invoice.day)}
      seller={seller}
      company={account.company}
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
