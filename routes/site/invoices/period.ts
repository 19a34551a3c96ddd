/**
 * Years and months as people ask for their invoices of: `2026`, `2026-11`.
 *
 * @module
 */

/** A year or a month, and its name. */
export interface Period {
  value: string;
  name: string;
}

/** Months that are offered, the present one included: more than ten years. */
const MONTHS_MAX = 132;

const MONTH_NAMES = new Intl.DateTimeFormat("en-GB", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** A period as time: from the first moment on, before the second. Epoch ms. */
export function timeOf(
  period: string,
): { fromMs: number; untilMs: number } | null {
  const [, year, month] = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/.exec(period) ?? [];
  if (year === undefined) return null;
  const first = month === undefined ? 0 : Number(month) - 1;
  const next = month === undefined ? 12 : first + 1;
  return {
    fromMs: Date.UTC(Number(year), first),
    untilMs: Date.UTC(Number(year), next),
  };
}

/** Every year and month between two moments, the newest first. */
export function periodsBetween(fromMs: number, untilMs: number): Period[] {
  const periods: Period[] = [];
  const until = new Date(untilMs);
  let year = "";
  for (let back = 0; back < MONTHS_MAX; back++) {
    const atMs = Date.UTC(until.getUTCFullYear(), until.getUTCMonth() - back);
    const value = new Date(atMs).toISOString().slice(0, 7);
    if (value < new Date(fromMs).toISOString().slice(0, 7)) break;
    if (value.slice(0, 4) !== year) {
      year = value.slice(0, 4);
      periods.push({ value: year, name: year });
    }
    periods.push({ value, name: MONTH_NAMES.format(atMs) });
  }
  return periods;
}
