import type { z } from "zod";
import { type CsvField, csvOf } from "../http/csv.ts";
import { type report, reportLine } from "../shapes/records.ts";

type Line = z.infer<typeof reportLine>;

const LINE = Object.keys(reportLine.shape) as (keyof Line)[];

/** A list of reports as a table, a day a row. */
export function reportsCsv(lines: readonly Line[]): string {
  return csvOf([LINE, ...lines.map((line) => LINE.map((name) => line[name]))]);
}

/** A report as a table, a figure a row: what it is, of what, and its value. */
export function reportCsv(read: z.infer<typeof report>): string {
  const { human_clicks_by_hour: hours, human_clicks_by_country: countries } =
    read;
  return csvOf([
    ["figure", "of", "value"],
    ...LINE.map((name): CsvField[] => [name, null, read[name]]),
    ...read.clicks_by_reason.map(({ reason, clicks }) =>
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
