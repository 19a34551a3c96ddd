import { readShownWindow } from "../../../domain/auction/read_shown_windows.ts";
import { type Day, parseDay } from "../../../domain/day.ts";
import { PAGES } from "../../../domain/pages.ts";
import { refuse } from "../../../domain/refusal.ts";
import { readReport } from "../../../domain/reports/read_reports.ts";
import { csvFile } from "../../http/saved_file.ts";
import { limitAccount } from "../../middleware/person_limits.ts";
import { reportCsv, reportsCsv } from "../../operations/report_csv.ts";
import { lineRecord, reportRecord } from "../../operations/reports.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage, type PageRequest } from "../pages/advertiser_page.ts";
import { ReportPage } from "./report_page.tsx";
import { ReportsPage } from "./reports_page.tsx";
import { readReportsView } from "./reports_view.ts";

const PATH = PAGES.reports;

/** What an account's won days brought: `/reports`, each also as a table. */
export function reportsSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PATH,
    proceed: [limitAccount(parts)],
    get: {
      [PATH]: showReports,
      [`${PATH}/csv`]: sendReports,
      [`${PATH}/:day`]: showReport,
      [`${PATH}/:day/csv`]: sendReport,
    },
  });
}

async function showReports(request: PageRequest): Promise<Response> {
  const view = await viewOf(request);
  const hasWon = view.lines.length > 0 || request.account.paidWins > 0;
  const hours = request.services.settings.auctionHours;
  return request.show(<ReportsPage {...{ view, hours, hasWon }} />);
}

/** The same days as the page it is linked from, as agents get them. */
async function sendReports(request: PageRequest): Promise<Response> {
  const { from, to, lines } = await viewOf(request);
  const table = reportsCsv(lines.map(lineRecord));
  return csvFile(table, `reports-${from}-${to}.csv`);
}

/** A mistyped day shows the newest ones: a reader is not a program. */
function viewOf({ services, accountId, query }: PageRequest) {
  const until = parseDay(query("to") ?? "");
  return readReportsView(services, { accountId, until });
}

async function showReport(request: PageRequest): Promise<Response> {
  const { services, accountId, show } = request;
  const day = dayOf(request);
  const report = await readReport(services, { accountId, day });
  const shown = await readShownWindow(services, day);
  const askAt = services.settings.seller.email;
  return show(<ReportPage report={report} shown={shown} askAt={askAt} />);
}

async function sendReport(request: PageRequest): Promise<Response> {
  const { services, accountId } = request;
  const day = dayOf(request);
  const report = await readReport(services, { accountId, day });
  return csvFile(reportCsv(reportRecord(report)), `report-${day}.csv`);
}

/** The day in the path; what is none is a page that there isn't. */
function dayOf({ param }: PageRequest): Day {
  const message = "Cannot find a report: the address names no day";
  return parseDay(param("day")) ?? refuse({ code: "not_found", message });
}
