import type { z } from "zod";
import { CLICK_OUTCOMES } from "../../domain/clicks/click.ts";
import {
  listReports,
  readReport,
  type Report,
  type ReportLine,
  UNKNOWN_COUNTRY,
} from "../../domain/reports/read_reports.ts";
import { reportRange } from "../../domain/reports/won_days.ts";
import { listPage } from "../http/list_query.ts";
import { DAY_POSITIONS } from "../http/positions.ts";
import { parsePathDay } from "../http/query.ts";
import { dayArgument } from "../mcp/tool_arguments.ts";
import type { report, reportLine } from "../shapes/records.ts";
import { reportCsv, reportsCsv } from "./report_csv.ts";
import { type AgentOperation, reading } from "./operation.ts";
import { optionalDay } from "./parameters.ts";

/** What is read with `reports:read`, each as JSON or as a table. */
export const REPORT_OPERATIONS: readonly AgentOperation[] = [
  reading({
    at: "GET /reports",
    scope: "reports:read",
    id: "listReports",
    summary: "List the days you won, with clicks and spend",
    docs: "`{items, next_cursor}`: the days you won between `from` and `to`, " +
      "newest first.",
    tool: "list_reports",
    title: "Reports of days won",
    description: "Lists the days that the account won, newest first, with " +
      "clicks and spend. Without from and to it is about the last 90 days.",
    schema: "ReportList",
    action: "Cannot list the reports",
    query: {
      from: optionalDay("The first day; 89 days before to if left out"),
      to: optionalDay("The last day; today if left out"),
    },
    positions: DAY_POSITIONS.shape,
    read(services, { grant: { accountId }, query, page }) {
      const range = reportRange(query, services.clock.now());
      return listPage(DAY_POSITIONS, page, {
        list: ({ limit, before }) =>
          listReports(services, {
            ...range,
            accountId,
            limit,
            before: before?.day ?? null,
          }),
        placeOf: (line) => line,
        wire: lineRecord,
      });
    },
    csv: ({ items }) => reportsCsv(items),
  }),
  reading({
    at: "GET /reports/{day}",
    scope: "reports:read",
    id: "readReport",
    summary: "Read clicks and spend of a day you won",
    docs: "The [report](#reports-of-won-days) of a day you won.",
    tool: "get_report",
    title: "Report of a day won",
    description: "Reads the report of a day that the account won: clicks by " +
      "reason, human clicks by hour and by country, and spend. Rows of fewer " +
      "than 5 people are summed as other.",
    argument: ["day", dayArgument],
    schema: "Report",
    async read(services, { grant: { accountId }, id }) {
      const day = parsePathDay(id);
      return reportRecord(await readReport(services, { accountId, day }));
    },
    csv: reportCsv,
  }),
];

/** A day that was won as agents read it. */
export function lineRecord(
  { day, clicks, humanClicks, countries, spend, removedAtMs, final }:
    ReportLine,
): z.infer<typeof reportLine> {
  return {
    day,
    clicks,
    human_clicks: humanClicks,
    countries,
    spend_cents: spend.totalCents,
    refunded_cents: spend.refundedCents,
    currency: "EUR",
    invoice_number: spend.invoiceNumber,
    removed: removedAtMs !== null,
    final,
  };
}

/** The whole report of a day as agents read it. */
export function reportRecord(read: Report): z.infer<typeof report> {
  const { byOutcome, byHour, byCountry } = read;
  return {
    ...lineRecord(read),
    clicks_by_reason: CLICK_OUTCOMES.map((reason) => ({
      reason,
      clicks: byOutcome[reason],
    })),
    human_clicks_by_hour: {
      items: byHour.shown.map(({ value, count: clicks }) => ({
        hour: `${value}:00:00.000Z`,
        clicks,
      })),
      other: byHour.other,
    },
    human_clicks_by_country: byCountry && {
      items: byCountry.shown.map(({ value, count: clicks }) => ({
        country: value === UNKNOWN_COUNTRY ? null : value,
        clicks,
      })),
      other: byCountry.other,
    },
  };
}
