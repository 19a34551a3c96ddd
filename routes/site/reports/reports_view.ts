import { addDays, type Day, dayOf } from "../../../domain/day.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  listReports,
  type ReportLine,
  type Spend,
} from "../../../domain/reports/read_reports.ts";
import type { DayRange } from "../../../domain/reports/won_days.ts";
import { showEuros } from "../../../domain/text/euros.ts";

/** Days that one page is about. */
export const REPORT_SPAN_DAYS = 30;

/** The won days of thirty. */
export interface ReportsView extends DayRange {
  /** Newest first. */
  lines: readonly ReportLine[];
  /** The last day of the page before this one; null at the first auction. */
  older: Day | null;
  /** The same of the page after it; null on the newest. */
  newer: Day | null;
}

/**
 * Reads what an account's won days came to, those of 30 days.
 *
 * @param until the last of them; null, and what is still to come, for today
 */
export async function readReportsView(
  services: Pick<Services, "store" | "clock">,
  { accountId, until }: { accountId: string; until: Day | null },
): Promise<ReportsView> {
  const { store, clock } = services;
  const today = dayOf(clock.now());
  const to = until !== null && until < today ? until : today;
  const from = addDays(to, 1 - REPORT_SPAN_DAYS);
  const [calendar, lines] = await Promise.all([
    store.calendar.find(),
    listReports(services, {
      accountId,
      from,
      to,
      limit: REPORT_SPAN_DAYS,
      before: null,
    }),
  ]);
  const next = addDays(to, REPORT_SPAN_DAYS);
  return {
    from,
    to,
    lines,
    older: calendar !== null && calendar.launchDay < from
      ? addDays(from, -1)
      : null,
    newer: to === today ? null : next < today ? next : today,
  };
}

/** What was paid and not given back, cents. */
export function keptCents({ totalCents, refundedCents }: Spend): number {
  return totalCents - refundedCents;
}

/** What a human click cost; null where there was none, or nothing was kept. */
export function costOfClick(cents: number, humanClicks: number): string | null {
  if (cents === 0 || humanClicks === 0) return null;
  const each = Math.round(cents / humanClicks);
  return each === 0 ? `under ${showEuros(1)}` : showEuros(each);
}
