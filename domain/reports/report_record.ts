import { CLICK_OUTCOMES, type ClickOutcome } from "../clicks/click.ts";
import type { Day } from "../day.ts";
import type { Published } from "./hide_few.ts";
import {
  type Report,
  type ReportLine,
  UNKNOWN_COUNTRY,
} from "./read_reports.ts";

/** A day that was won, in one line, as the agent API shows it. */
export interface ReportLineRecord {
  day: Day;
  clicks: number;
  human_clicks: number;
  countries: number;
  spend_cents: number;
  refunded_cents: number;
  currency: "EUR";
  invoice_number: string | null;
  removed: boolean;
  /** Whether the clicks never change again. */
  final: boolean;
}

/** A report as the agent API shows it. */
export interface ReportRecord extends ReportLineRecord {
  clicks_by_reason: { reason: ClickOutcome; clicks: number }[];
  human_clicks_by_hour: {
    items: { hour: string; clicks: number }[];
    other: number;
  };
  human_clicks_by_country: {
    /** `country` is null where it is not known. */
    items: { country: string | null; clicks: number }[];
    other: number;
  } | null;
}

/** The members of a line, and no others. */
export function toReportLineRecord(line: ReportLine): ReportLineRecord {
  const { spend } = line;
  return {
    day: line.day,
    clicks: line.clicks,
    human_clicks: line.humanClicks,
    countries: line.countries,
    spend_cents: spend.totalCents,
    refunded_cents: spend.refundedCents,
    currency: "EUR",
    invoice_number: spend.invoiceNumber,
    removed: line.removed,
    final: line.final,
  };
}

/** The members of a report, and no others. */
export function toReportRecord(report: Report): ReportRecord {
  const { byOutcome, byHour, byCountry } = report;
  return {
    ...toReportLineRecord(report),
    clicks_by_reason: CLICK_OUTCOMES.map((reason) => ({
      reason,
      clicks: byOutcome[reason],
    })),
    human_clicks_by_hour: {
      items: rowsOf(byHour).map(([hour, clicks]) => ({
        hour: `${hour}:00:00.000Z`,
        clicks,
      })),
      other: byHour.other,
    },
    human_clicks_by_country: byCountry && {
      items: rowsOf(byCountry).map(([country, clicks]) => ({
        country: country === UNKNOWN_COUNTRY ? null : country,
        clicks,
      })),
      other: byCountry.other,
    },
  };
}

function rowsOf({ shown }: Published): [value: string, clicks: number][] {
  return shown.map(({ value, count }) => [value, count]);
}
