/**
 * Years and months as people ask for their invoices of: `2026`, `2026-11`.
 *
 * @module
 */

import {
  addMonths,
  monthOf,
  parseMonth,
  startOfMonthMs,
} from "../../../domain/month.ts";
import { monthName } from "../ui/day_time.tsx";

const YEAR = /^\d{4}$/;

/** A year or a month, and its name. */
export interface Period {
  value: string;
  name: string;
}

/** Months that are offered, the present one included: more than ten years. */
const MONTHS_MAX = 132;

/** A period as time: from the first moment on, before the second. Epoch ms. */
export function timeOf(
  period: string,
): { fromMs: number; untilMs: number } | null {
  const first = parseMonth(YEAR.test(period) ? `${period}-01` : period);
  if (first === null) return null;
  const next = addMonths(first, YEAR.test(period) ? 12 : 1);
  return { fromMs: startOfMonthMs(first), untilMs: startOfMonthMs(next) };
}

/** Every year and month between two moments, the newest first. */
export function periodsBetween(fromMs: number, untilMs: number): Period[] {
  const periods: Period[] = [];
  let year = "";
  for (let back = 0; back < MONTHS_MAX; back++) {
    const month = addMonths(monthOf(untilMs), -back);
    if (month < monthOf(fromMs)) break;
    if (month.slice(0, 4) !== year) {
      year = month.slice(0, 4);
      periods.push({ value: year, name: year });
    }
    periods.push({ value: month, name: monthName(month) });
  }
  return periods;
}
