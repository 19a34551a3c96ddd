import type { Day } from "../../domain/day.ts";
import type { PublicRecord } from "../../domain/spotlights/public_record.ts";
import type { PublicSnapshot } from "../../domain/spotlights/public_snapshot.ts";

/** What makes one snapshot into another. */
export interface Changes {
  /** Days that are no longer public. */
  readonly gone: readonly Day[];
  /** Records that are new or read otherwise. */
  readonly put: readonly PublicRecord[];
}

/**
 * What changed between two snapshots. A record that has not changed is taken
 * over from one to the next, so looking whether it is the same one is enough.
 */
export function changesBetween(
  before: PublicSnapshot,
  after: PublicSnapshot,
): Changes {
  return {
    gone: before.records.filter(({ day }) => !after.byDay.has(day))
      .map(({ day }) => day),
    put: after.records.filter((record) =>
      before.byDay.get(record.day) !== record
    ),
  };
}
