import type {
  ReportLineRecord,
  ReportRecord,
} from "../../domain/reports/report_record.ts";
import { type CsvField, csvOf } from "../http/csv.ts";

const LINE = [
  "day",
  "clicks",
  "human_clicks",
  "countries",
  "spend_cents",
  "refunded_cents",
  "currency",
  "invoice_number",
  "removed",
  "final",
] as const satisfies readonly (keyof ReportLineRecord)[];

/** A list of reports as a table, a day a row. */
export function reportsCsv(lines: readonly ReportLineRecord[]): string {
  return csvOf([LINE, ...lines.map((line) => LINE.map((name) => line[name]))]);
}

/** A report as a table, a figure a row: what it is, of what, and its value. */
export function reportCsv(report: ReportRecord): string {
  const { human_clicks_by_hour: hours, human_clicks_by_country: countries } =
    report;
  return csvOf([
    ["figure", "of", "value"],
    ...LINE.map((name): CsvField[] => [name, null, report[name]]),
    ...report.clicks_by_reason.map(({ reason, clicks }) =>
      ["clicks_by_reason", reason, clicks] as const
    ),
    ...hours.items.map(({ hour, clicks }) =>
      ["human_clicks_by_hour", hour, clicks] as const
    ),
    ["human_clicks_by_hour", "other", hours.other],
    ...(countries?.items ?? []).map(({ country, clicks }) =>
      ["human_clicks_by_country", country ?? "unknown", clicks] as const
    ),
    ["human_clicks_by_country", "other", countries?.other ?? null],
  ]);
}
