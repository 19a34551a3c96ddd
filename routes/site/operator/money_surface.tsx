import { readMoneyReport } from "../../../domain/reconciliation/read_money_report.ts";
import { requireOperator } from "../../../domain/accounts/require_operator.ts";
import { retryEvent } from "../../../domain/webhooks/retry_event.ts";
import { seeOther, signedInOf } from "../../middleware/session.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import { advertiserPage } from "../pages/advertiser_page.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { queryParam } from "../../http/query.ts";
import { MoneyPage } from "./money_page.tsx";

/** Where an operator reads the state of the money. */
export const MONEY_PATH = "/operator/money";

/** What came of looking into an event again. */
const NOTES: ReadonlyMap<string | null, string> = new Map([
  ["done", "The event was processed. There is nothing left to do about it."],
  ["failed", "The event could not be processed. What is known is shown below."],
]);

/** The operator's page about money; there is none for anybody else. */
export function moneySurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: MONEY_PATH,
    routes: [
      route("GET", MONEY_PATH, (context) => show(context, parts)),
      route(
        "POST",
        `${MONEY_PATH}/events/:id/retry`,
        (context) => retry(context, parts),
      ),
    ],
  });
}

async function show(
  context: RouteContext,
  { services }: AdvertiserParts,
): Promise<Response> {
  const { account } = signedInOf(context);
  const report = await readMoneyReport(services, account);
  const tried = queryParam(context, "tried");
  const page = (
    <MoneyPage
      report={report}
      hold={await services.store.currentHold()}
      note={NOTES.get(tried) ?? null}
      retryPath={retryPath}
    />
  );
  return privateAnswer(context, page);
}

function retryPath(eventId: string): string {
  return `${MONEY_PATH}/events/${encodeURIComponent(eventId)}/retry`;
}

async function retry(
  context: RouteContext,
  { services, eventWork }: AdvertiserParts,
): Promise<Response> {
  requireOperator(signedInOf(context).account, services.settings);
  const eventId = context.req.param("id") ?? "";
  const { state } = await retryEvent(eventWork, { eventId });
  const tried = state === "done" ? "done" : "failed";
  return seeOther(`${MONEY_PATH}?tried=${tried}`);
}
