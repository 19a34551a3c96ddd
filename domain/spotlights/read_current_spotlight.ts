import { refuse } from "../refusal.ts";
import type { PublicRecord } from "./public_record.ts";
import type { PublicRecords } from "./public_records.ts";

/**
 * The Spotlight of the newest settled day. When that one was removed there is
 * none until the next day settles, never an older one.
 *
 * @throws {Refused} `spotlight_not_found`
 */
export function readCurrentSpotlight(
  records: PublicRecords,
  { includeHouseAds }: { includeHouseAds: boolean },
): PublicRecord {
  const { byDay, newestSettledDay } = records.snapshot;
  const current = newestSettledDay === null
    ? undefined
    : byDay.get(newestSettledDay);
  if (
    current === undefined ||
    (!includeHouseAds && current.contentType === "house_advertisement")
  ) {
    return refuse({ code: "spotlight_not_found", day: null });
  }
  return current;
}
