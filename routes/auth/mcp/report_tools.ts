import { z } from "zod";
import { CLICK_OUTCOMES } from "../../../domain/clicks/click.ts";
import type { Services } from "../../../domain/ports.ts";
import { readReport } from "../../../domain/reports/read_reports.ts";
import { toReportRecord } from "../../../domain/reports/report_record.ts";
import { READS } from "../../mcp/effects.ts";
import { orProblem } from "../../mcp/or_problem.ts";
import { defineTool } from "../../mcp/tool.ts";
import { dayArgument } from "../../mcp/tool_arguments.ts";
import { positionedQuery } from "../../http/list_query.ts";
import {
  REPORT_POSITION,
  REPORTS_ACTION,
  reportsPage,
} from "../agent/report_routes.ts";
import type { AdvertiserTool } from "./advertiser_caller.ts";
import { listOf } from "./outputs.ts";
import { pageArguments } from "./page_arguments.ts";

const clicks = z.int().min(0);
const cents = z.int().describe("Cents");

/** A day that was won, in one line. */
export const reportLine = z.strictObject({
  day: z.string().meta({ format: "date" }),
  clicks,
  human_clicks: clicks,
  countries: z.int().describe("Distinct countries among the human clicks"),
  spend_cents: cents,
  refunded_cents: cents,
  currency: z.literal("EUR"),
  invoice_number: z.string().nullable(),
  removed: z.boolean(),
  final: z.boolean().describe("Whether the clicks never change again"),
});

const other = clicks.describe("All the rest together");

/** A day that was won, in every detail. */
export const report = z.strictObject({
  ...reportLine.shape,
  clicks_by_reason: z.array(
    z.strictObject({ reason: z.enum(CLICK_OUTCOMES), clicks }),
  ),
  human_clicks_by_hour: z.strictObject({
    items: z.array(z.strictObject({
      hour: z.string().meta({ format: "date-time" }),
      clicks,
    })),
    other,
  }),
  human_clicks_by_country: z.strictObject({
    items: z.array(z.strictObject({ country: z.string().nullable(), clicks })),
    other,
  }).nullable().describe("Null until the figures are final"),
});

/** What is read with `reports:read`. */
export function reportTools(services: Services): AdvertiserTool[] {
  return [
    defineTool({
      name: "list_reports",
      title: "Reports of days won",
      description: "Lists the days that the account won, newest first, with " +
        "clicks and spend. Without from and to it is about the last 90 days.",
      annotations: READS,
      scope: "reports:read",
      input: z.strictObject({
        from: dayArgument.optional(),
        to: dayArgument.optional(),
        ...pageArguments.shape,
      }),
      output: orProblem(listOf(reportLine)),
      handle: ({ from, to, ...given }, { caller: { grant: { accountId } } }) =>
        reportsPage(services, accountId, {
          ...positionedQuery(given, REPORTS_ACTION, REPORT_POSITION),
          from,
          to,
        }),
    }),
    defineTool({
      name: "get_report",
      title: "Report of a day won",
      description: "Reads the report of a day that the account won: clicks " +
        "by reason, human clicks by hour and by country, and spend. Rows of " +
        "fewer than 5 people are summed as other.",
      annotations: READS,
      scope: "reports:read",
      input: z.strictObject({ day: dayArgument }),
      output: orProblem(report),
      async handle({ day }, { caller: { grant: { accountId } } }) {
        return toReportRecord(await readReport(services, { accountId, day }));
      },
    }),
  ];
}
