import type { Day } from "../day.ts";
import { refuse } from "../refusal.ts";
import type { PublicRecord } from "./public_record.ts";
import type { PublicRecords } from "./public_records.ts";

/**
 * The Spotlight of a day.
 *
 * @throws {Refused} `spotlight_not_found` when the day has not settled or its
 * Spotlight was removed; the two are not told apart
 */
export function readSpotlight(records: PublicRecords, day: Day): PublicRecord {
  return records.snapshot.byDay.get(day) ??
    refuse({ code: "spotlight_not_found", day });
}

/** One asked day with its record, `null` when there is none. */
export interface BatchItem {
  day: Day;
  record: PublicRecord | null;
}

/** The Spotlights of up to ten days, in the order asked, repeats included. */
export function readSpotlightBatch(
  records: PublicRecords,
  days: readonly Day[],
): BatchItem[] {
  const { byDay } = records.snapshot;
  return days.map((day) => ({ day, record: byDay.get(day) ?? null }));
}
