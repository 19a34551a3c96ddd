/**
 * How the folders of continuous backups are called:
 * `s000000012-2026-11-23T10-42-18.508Z-{id of the store}`. Those of earlier
 * versions have no id, and of still earlier ones no number either.
 *
 * @module
 */
import { isoTime } from "../domain/day.ts";

/** A series a minute for a thousand years. */
const DIGITS = 9;
/** Behind the names that earlier versions gave, which began with a year. */
const NUMBER = /^s(\d{9})-/;
const OF_STORE = /^s\d{9}-[^/]+Z-([0-9a-f]{32})(?:\/|$)/;

/** The number of a series or a file of it; 0 for those of earlier versions. */
export function seriesNumber(name: string): number {
  return Number(NUMBER.exec(name)?.[1] ?? 0);
}

/** The store whose series or file it is; null where its name does not say. */
export function storeOf(name: string): string | null {
  return OF_STORE.exec(name)?.[1] ?? null;
}

/** The store whose series is the newest of those that say it; null for none. */
export function newestStore(names: readonly string[]): string | null {
  const said = names.filter((name) => storeOf(name) !== null)
    .toSorted((a, b) => seriesNumber(a) - seriesNumber(b));
  return storeOf(said.at(-1) ?? "");
}

/** The number is what orders the series of a place, whatever clocks say. */
export function seriesName(
  number: number,
  startedAtMs: number,
  storeId: string,
): string {
  const digits = String(number).padStart(DIGITS, "0");
  return `s${digits}-${isoTime(startedAtMs).replaceAll(":", "-")}-${storeId}`;
}
