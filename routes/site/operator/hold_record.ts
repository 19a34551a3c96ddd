import { type Hold, isActiveHold } from "../../../domain/hold/hold.ts";
import type {
  HoldReview,
  Release,
} from "../../../domain/release/release_store.ts";
import {
  isAdoptable,
  itemId,
  type ReviewItem,
} from "../../../domain/release/review.ts";
import { reviewText } from "../../../domain/release/review_text.ts";
import { isoTime } from "../../../domain/day.ts";
import { isoOrNull } from "./operator_answer.ts";

/** A hold and what stands against it, as the operator API answers it. */
export function toHoldRecord(
  { hold, items }: HoldReview,
): Record<string, unknown> {
  return { ...standingOf(hold), items: items.map(toItemRecord) };
}

/** What came of a release. */
export function toReleaseRecord(
  { hold, adopted, left }: Release,
): Record<string, unknown> {
  return { ...standingOf(hold), adopted, left: left.map(toItemRecord) };
}

function standingOf(hold: Hold | null) {
  return {
    on_hold: isActiveHold(hold),
    hold: hold === null ? null : {
      kind: hold.kind,
      restored_at: isoTime(hold.restoredAtMs),
      backup_at: isoOrNull(hold.backupAtMs),
      is_whole: hold.isWhole,
      released_at: isoOrNull(hold.releasedAtMs),
      acknowledged: hold.acknowledged,
    },
  };
}

function toItemRecord(item: ReviewItem) {
  return {
    id: itemId(item),
    kind: item.kind,
    /** The release takes it over; all else has to be acknowledged. */
    adopted_on_release: isAdoptable(item),
    text: `${reviewText(item)}.`,
  };
}
