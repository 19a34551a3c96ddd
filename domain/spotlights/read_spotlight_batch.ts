import type { Day } from "../day.ts";
import type { PublicRecord } from "./public_record.ts";
import type { PublicRecords } from "./public_records.ts";

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
