import type { Day } from "../day.ts";
import { LIST_OFFSET_MAX } from "../limits.ts";
import type { PublicRecord } from "./public_record.ts";
import type { PublicRecords } from "./public_records.ts";
import { positionOf } from "./public_snapshot.ts";

/** Where a page begins and how long it is. */
export interface ListSpotlights {
  /** 1–50. */
  limit: number;
  /** Days before this one, or a number of newest records to skip. */
  from: { cursor: Day } | { offset: number };
}

/** One page, newest first. */
export interface SpotlightPage {
  items: PublicRecord[];
  /** Set when more follow, unless no request may skip that many. */
  nextOffset: number | null;
  /** Set when more follow. */
  nextCursor: Day | null;
}

/**
 * A page of the public Spotlights, newest first. Both ways on are given
 * whichever was asked, so a walk by offset can go on by cursor past 10,000.
 */
export function listSpotlights(
  records: PublicRecords,
  { limit, from }: ListSpotlights,
): SpotlightPage {
  const all = records.snapshot.records;
  // Records are kept oldest first: the page is [begin, end) read backwards.
  const end = "cursor" in from
    ? positionOf(all, from.cursor)
    : Math.max(0, all.length - from.offset);
  const begin = Math.max(0, end - limit);
  const items = all.slice(begin, end).reverse();
  const more = begin > 0;
  const nextOffset = all.length - begin;
  return {
    items,
    nextOffset: more && nextOffset <= LIST_OFFSET_MAX ? nextOffset : null,
    nextCursor: more ? items.at(-1)?.day ?? null : null,
  };
}
