import { z } from "zod";
import type { Day } from "../../../domain/day.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  listReports,
  readReport,
} from "../../../domain/reports/read_reports.ts";
import {
  type ReportLineRecord,
  toReportLineRecord,
  toReportRecord,
} from "../../../domain/reports/report_record.ts";
import { reportRange } from "../../../domain/reports/won_days.ts";
import { grantWith } from "../../middleware/bearer.ts";
import { type Route, route, type RouteContext } from "../../route_table.ts";
import { preferredType } from "../../site/pages/preferred_type.ts";
import { day, parsePathDay, parseQuery, queryOf } from "../../http/query.ts";
import { agentJson } from "./agent_answer.ts";
import {
  type ListAnswer,
  listAnswer,
  type ListQuery,
  parseListQuery,
} from "../../http/list_query.ts";
import { reportCsv, reportsCsv } from "./report_csv.ts";

const PATH = "/v1/agent/reports";

/** How a refusal of the list begins. */
export const REPORTS_ACTION = "Cannot list the reports";

/** A report's place in the list: its day. */
export const REPORT_POSITION = /^\d{4}-\d{2}-\d{2}$/;

const rangeQuery = z.object({ from: day.optional(), to: day.optional() });

/** The operations behind `reports:read`, each as JSON or as a table. */
export function reportRoutes(services: Services): Route[] {
  return [
    route("GET", PATH, async (context) => {
      const { accountId } = grantWith(context, "reports:read");
      const asked = parseListQuery(context, REPORTS_ACTION, REPORT_POSITION);
      const query = queryOf(context.req.url);
      const range = parseQuery(rangeQuery, query, REPORTS_ACTION);
      const page = await reportsPage(services, accountId, {
        ...asked,
        ...range,
      });
      return answer(
        context,
        page,
        () => reportsCsv(page.items),
        linkTo(query, page),
      );
    }),
    route("GET", `${PATH}/:day`, async (context) => {
      const { accountId } = grantWith(context, "reports:read");
      const day = parsePathDay(context.req.param("day"));
      const found = await readReport(services, { accountId, day });
      const report = toReportRecord(found);
      return answer(context, report, () => reportCsv(report));
    }),
  ];
}

/** Which part of the account's reports is asked for. */
export interface ReportsQuery extends ListQuery {
  from?: Day | undefined;
  to?: Day | undefined;
}

/** A part of the days that the account won, newest first. */
export async function reportsPage(
  services: Services,
  accountId: string,
  asked: ReportsQuery,
): Promise<ListAnswer<ReportLineRecord>> {
  const following = await listReports(services, {
    ...reportRange(asked, services.clock.now()),
    accountId,
    limit: asked.limit + 1,
    // Only compared with days: one that is none stands between two.
    before: asked.after as Day | null,
  });
  return listAnswer(following, asked, {
    wire: toReportLineRecord,
    positionOf: ({ day }) => day,
  });
}

/** Where a table goes on, which has no room for it itself. */
function linkTo(
  query: string,
  { next_cursor }: ListAnswer<unknown>,
): Record<string, string> {
  if (next_cursor === null) return {};
  const sent = new URLSearchParams(query);
  const next = new URLSearchParams();
  for (const name of ["from", "to", "limit"]) {
    const value = sent.get(name);
    if (value !== null) next.set(name, value);
  }
  next.set("cursor", next_cursor);
  return { link: `<${PATH}?${next}>; rel="next"` };
}

function answer(
  context: RouteContext,
  body: unknown,
  csv: () => string,
  csvHeaders: Readonly<Record<string, string>> = {},
): Response {
  const accept = context.req.raw.headers.get("accept");
  const vary = "accept";
  const type = preferredType(accept, ["application/json", "text/csv"]);
  if (type === "application/json") {
    return agentJson(context, JSON.stringify(body), { headers: { vary } });
  }
  const headers = {
    "content-type": "text/csv; charset=utf-8; header=present",
    vary,
    ...csvHeaders,
  };
  return agentJson(context, csv(), { headers });
}
