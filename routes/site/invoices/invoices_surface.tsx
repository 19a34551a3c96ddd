import { listOwnInvoices } from "../../../domain/invoices/list_own_invoices.ts";
import { findOwnPdf } from "../../../domain/invoices/own_pdf.ts";
import { PAGES } from "../../../domain/pages.ts";
import { listAnswer, parseListQuery } from "../../http/list_query.ts";
import { INVOICE_POSITIONS } from "../../http/positions.ts";
import { limitCallsBeside } from "../../middleware/rate_limit.ts";
import { signedInOf } from "../../middleware/session.ts";
import { pdfAnswer } from "../../http/pdf_answer.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import { advertiserPage } from "../pages/advertiser_page.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { InvoicesPage } from "./invoices_page.tsx";
import { invoiceViews } from "./invoices_view.ts";

const PATH = PAGES.invoices;

/** The invoices of an account, and their printed form: `/invoices`. */
export function invoicesSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PATH,
    proceed: [limitCallsBeside(parts, PATH)],
    routes: [
      route("GET", PATH, (context) => show(context, parts)),
      route(
        "GET",
        `${PATH}/:number/pdf`,
        (context) => sendPdf(context, parts, context.req.param("number")),
      ),
      route("GET", `${PATH}/:number/credit_notes/:note/pdf`, (context) => {
        const { number, note } = context.req.param();
        return sendPdf(context, parts, number, note);
      }),
    ],
  });
}

async function show(
  context: RouteContext,
  { services }: AdvertiserParts,
): Promise<Response> {
  const { account: { id: accountId } } = signedInOf(context);
  const action = "Cannot show the invoices";
  const asked = parseListQuery(context, action, INVOICE_POSITIONS.shape);
  const following = await listOwnInvoices(services, {
    accountId,
    limit: asked.limit + 1,
    before: INVOICE_POSITIONS.at(asked.after),
  });
  const { items, next_cursor: nextCursor } = listAnswer(following, asked, {
    wire: (invoice) => invoice,
    positionOf: INVOICE_POSITIONS.of,
  });
  return privateAnswer(
    context,
    <InvoicesPage
      invoices={await invoiceViews(services, items)}
      isFurtherOn={asked.after !== null}
      nextCursor={nextCursor}
    />,
  );
}

async function sendPdf(
  context: RouteContext,
  { services }: AdvertiserParts,
  number: string,
  noteNumber: string | null = null,
): Promise<Response> {
  const { account: { id: accountId } } = signedInOf(context);
  const pdf = await findOwnPdf(services, { accountId, number, noteNumber });
  return await pdfAnswer(services, context.req.raw, pdf);
}
