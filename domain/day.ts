/**
 * Days and the moments of a day, all in UTC.
 *
 * @module
 */

declare const brand: unique symbol;

/** A calendar date written `YYYY-MM-DD`, known to exist. */
export type Day = string & { readonly [brand]: "Day" };

/** Milliseconds in a minute. */
export const MINUTE_MS = 60_000;

/** Milliseconds in an hour. */
export const HOUR_MS = 60 * MINUTE_MS;

/** Milliseconds in a UTC day. */
export const DAY_MS = 86_400_000;

/** How long a day is, in characters. */
export const DAY_LENGTH = 10;

const SHAPE = /^\d{4}-\d{2}-\d{2}$/;

/** Reads a day, or answers `null` for another shape or an impossible date. */
export function parseDay(text: string): Day | null {
  if (!SHAPE.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  if (Number.isNaN(ms)) return null;
  // Some engines roll 2026-02-30 over to March instead of refusing it.
  return new Date(ms).toISOString().slice(0, 10) === text ? text as Day : null;
}

/** The day a moment (epoch ms) falls on. */
export function dayOf(ms: number): Day {
  return new Date(ms).toISOString().slice(0, 10) as Day;
}

/** Midnight at the start of the day, epoch ms. */
export function startOfDayMs(day: Day): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/** The day `count` days later (earlier when negative). */
export function addDays(day: Day, count: number): Day {
  return dayOf(startOfDayMs(day) + count * DAY_MS);
}

/** How many days `to` lies after `from`. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((startOfDayMs(to) - startOfDayMs(from)) / DAY_MS);
}

/** A moment as ISO 8601 text (contract §1.3). */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** A moment to the minute, as mails say it: `2026-11-20 23:55 UTC`. */
export function isoMinute(ms: number): string {
  return `${isoTime(ms).slice(0, 16).replace("T", " ")} UTC`;
}

/** The same of a moment that may not have come; null for none. */
export function isoOrNull(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : isoTime(ms);
}
