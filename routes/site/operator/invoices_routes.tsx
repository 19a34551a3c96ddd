import { parseDay } from "../../../domain/day.ts";
import { readInvoicesByDay } from "../../../domain/settlement/read_invoices_by_day.ts";
import type { PageRequest } from "../pages/advertiser_page.ts";
import {
  INVOICE_STATES_SHOWN,
  InvoicesPage,
  standingOf,
} from "./invoices_page.tsx";

/** Invoices on a page, but for the rest of their last day. */
const PAGE_MAX = 50;
/** Longest text of a field that is shown again. */
const SHOWN_MAX = 20;

/** Every invoice, by the days asked for and how it stands. */
export async function showInvoices(
  { services, query, show }: PageRequest,
): Promise<Response> {
  const typed = (name: string) => (query(name) ?? "").slice(0, SHOWN_MAX);
  const [from, until] = [typed("from"), typed("until")];
  const asked = typed("state");
  const state = Object.hasOwn(INVOICE_STATES_SHOWN, asked) ? asked : "";
  const isDay = (text: string) => text === "" || parseDay(text) !== null;
  const error = isDay(from) && isDay(until)
    ? null
    : "Write a day as YYYY-MM-DD.";
  const found = error !== null
    ? { invoices: [], next: null }
    : await readInvoicesByDay(services, {
      from: parseDay(from),
      until: parseDay(until),
      isWanted: (invoice) => state === "" || standingOf(invoice) === state,
    }, PAGE_MAX);
  const shown = { ...found, from, until, state, error };
  return show(<InvoicesPage {...shown} />, {
    status: error === null ? 200 : 400,
  });
}
