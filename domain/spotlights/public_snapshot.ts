/**
 * The public records of one moment, never changed once made: a reader that
 * holds a snapshot sees one state however long it takes.
 *
 * @module
 */
import type { Day } from "../day.ts";
import {
  isRecordOf,
  type PublicRecord,
  toPublicRecord,
} from "./public_record.ts";
import type { Spotlight } from "./spotlight.ts";

/** What is public at one moment. */
export interface PublicSnapshot {
  /** Oldest day first; removed days are not among them. */
  readonly records: readonly PublicRecord[];
  /** The same records; looked up by any text, parsed or not. */
  readonly byDay: ReadonlyMap<string, PublicRecord>;
  /** The newest settled day, removed or not; its Spotlight is the current. */
  readonly newestSettledDay: Day | null;
}

/** Before anything settled. */
export const EMPTY_SNAPSHOT: PublicSnapshot = {
  records: [],
  byDay: new Map(),
  newestSettledDay: null,
};

/**
 * Makes a snapshot of all stored Spotlights, oldest first, taking over from
 * `before` what has not changed.
 */
export function snapshotOf(
  spotlights: Iterable<Spotlight>,
  baseUrl: string,
  before: PublicSnapshot = EMPTY_SNAPSHOT,
): PublicSnapshot {
  const records: PublicRecord[] = [];
  let newestSettledDay: Day | null = null;
  for (const spotlight of spotlights) {
    newestSettledDay = spotlight.day;
    if (spotlight.removedAtMs !== null) continue;
    const known = before.byDay.get(spotlight.day);
    records.push(
      known !== undefined && isRecordOf(known, spotlight)
        ? known
        : toPublicRecord(spotlight, baseUrl),
    );
  }
  return { records, byDay: mapOf(records), newestSettledDay };
}

/** The snapshot after some Spotlights settled, changed or were removed. */
export function withSpotlights(
  before: PublicSnapshot,
  spotlights: Iterable<Spotlight>,
  baseUrl: string,
): PublicSnapshot {
  const records = [...before.records];
  let newestSettledDay = before.newestSettledDay;
  for (const spotlight of spotlights) {
    const { day } = spotlight;
    const at = positionOf(records, day);
    const present = records[at]?.day === day ? 1 : 0;
    const replacement = spotlight.removedAtMs === null
      ? [toPublicRecord(spotlight, baseUrl)]
      : [];
    records.splice(at, present, ...replacement);
    if (newestSettledDay === null || day > newestSettledDay) {
      newestSettledDay = day;
    }
  }
  return { records, byDay: mapOf(records), newestSettledDay };
}

/** How many records are of an earlier day: the place of `day` among them. */
export function positionOf(
  records: readonly PublicRecord[],
  day: Day,
): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const record = records[middle];
    if (record !== undefined && record.day < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

function mapOf(
  records: readonly PublicRecord[],
): ReadonlyMap<string, PublicRecord> {
  return new Map(records.map((record) => [record.day, record]));
}
