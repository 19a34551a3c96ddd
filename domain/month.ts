/**
 * Calendar months, all in UTC.
 *
 * @module
 */

import { type Day, isoTime } from "./day.ts";

declare const brand: unique symbol;

/** A calendar month written `YYYY-MM`; its order as text is that of time. */
export type Month = string & { readonly [brand]: "Month" };

/** Reads a month, or answers `null` for another text. */
export function parseMonth(text: string): Month | null {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text) ? text as Month : null;
}

/** The month a moment (epoch ms) falls in. */
export function monthOf(ms: number): Month {
  return isoTime(ms).slice(0, 7) as Month;
}

/** The month of a day. */
export function monthOfDay(day: Day): Month {
  return day.slice(0, 7) as Month;
}

/** Months, newest first, both ends included; `limit` of them at most. */
export function monthsBack(from: Month, until: Month, limit: number): Month[] {
  const months: Month[] = [];
  for (let each = from; each >= until && months.length < limit;) {
    months.push(each);
    each = addMonths(each, -1);
  }
  return months;
}

/** When the month begins, epoch ms. */
export function startOfMonthMs(month: Month): number {
  return Date.parse(`${month}-01T00:00:00.000Z`);
}

/** The month `count` months later (earlier when negative). */
export function addMonths(month: Month, count: number): Month {
  const begun = new Date(startOfMonthMs(month));
  return monthOf(Date.UTC(begun.getUTCFullYear(), begun.getUTCMonth() + count));
}

/** When the month is over, epoch ms. */
export function endOfMonthMs(month: Month): number {
  return startOfMonthMs(addMonths(month, 1));
}

/** The later of two months; null is before all. */
export function laterMonth(a: Month, b: Month | null): Month {
  return b === null || a > b ? a : b;
}
