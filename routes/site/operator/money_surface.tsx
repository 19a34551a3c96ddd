import { operatorOf } from "../../../domain/accounts/require_operator.ts";
import { actAs } from "../../../domain/audit/act_as.ts";
import { readMoneyReport } from "../../../domain/reconciliation/read_money_report.ts";
import { retryEvent } from "../../../domain/webhooks/retry_event.ts";
import { seeOther } from "../../middleware/session.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { operatorPage, type PageRequest } from "../pages/advertiser_page.ts";
import { BOOKS_ROUTES } from "./books_routes.tsx";
import { showInvoices } from "./invoices_routes.tsx";
import { MoneyPage } from "./money_page.tsx";
import { INVOICES_PATH, MONEY_PATH } from "./paths.ts";

/** What came of processing an event again. */
const NOTES: ReadonlyMap<string | null, string> = new Map([
  ["done", "The event was processed. There is nothing left to do about it."],
  ["failed", "The event could not be processed. What is known is shown below."],
]);

/** The operator's page about money. */
export function moneySurface(parts: AdvertiserParts): Surface {
  return operatorPage(parts, {
    path: MONEY_PATH,
    get: {
      [MONEY_PATH]: showMoney,
      [INVOICES_PATH]: showInvoices,
      ...BOOKS_ROUTES,
    },
    post: { [`${MONEY_PATH}/events/:id/retry`]: retry },
    freshChanges: { fields: [] },
  });
}

async function showMoney(
  { services, account, query, show }: PageRequest,
): Promise<Response> {
  const report = await readMoneyReport(services, account);
  return show(
    <MoneyPage
      report={report}
      hold={await services.store.currentHold()}
      note={NOTES.get(query("tried")) ?? null}
      retryPath={retryPath}
    />,
  );
}

function retryPath(eventId: string): string {
  return `${MONEY_PATH}/events/${encodeURIComponent(eventId)}/retry`;
}

async function retry(
  { services, account, eventWork, param }: PageRequest,
): Promise<Response> {
  const eventId = param("id");
  const by = operatorOf(account, services.settings);
  const { state } = await actAs(
    services,
    { by, act: "event.retry", subject: eventId },
    (acting) => retryEvent({ ...eventWork, services: acting }, { eventId }),
  );
  const tried = state === "done" ? "done" : "failed";
  return seeOther(`${MONEY_PATH}?tried=${tried}`);
}
