/**
 * Calendar months, all in UTC.
 *
 * @module
 */

declare const brand: unique symbol;

/** A calendar month written `YYYY-MM`; its order as text is that of time. */
export type Month = string & { readonly [brand]: "Month" };

/** The month a moment (epoch ms) falls in. */
export function monthOf(ms: number): Month {
  return new Date(ms).toISOString().slice(0, 7) as Month;
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
