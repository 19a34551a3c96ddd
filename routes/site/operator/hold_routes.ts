import { z } from "zod";
import {
  type HoldReview,
  type Release,
  releaseStore,
  reviewHold,
} from "../../../domain/release/release_store.ts";
import { type Route, route } from "../../route_table.ts";
import type { OperatorParts } from "./operator_parts.ts";
import { isoOrNull, operatorAnswer } from "./operator_answer.ts";
import { readInput } from "./read_input.ts";
import { type Hold, isActiveHold } from "../../../domain/hold/hold.ts";
import {
  isAdoptable,
  itemId,
  type ReviewItem,
} from "../../../domain/release/review.ts";
import { reviewText } from "../../../domain/release/review_text.ts";
import { isoTime } from "../../../domain/day.ts";

/** Names of items in one request: more than a review ever shows. */
const NAMES_MAX = 300;
const NAME_MAX = 300;

const order = z.strictObject({
  acknowledge: z.array(z.string().max(NAME_MAX)).max(NAMES_MAX),
});

/** The operator's hand on a store that was restored. */
export function holdRoutes(
  { services, records }: Pick<OperatorParts, "services" | "records">,
): Route[] {
  return [
    route("GET", "/operator/v1/hold", async () => {
      return operatorAnswer(toHoldRecord(await reviewHold(services)));
    }),
    route("POST", "/operator/v1/hold/release", async (context) => {
      const { acknowledge: acknowledged } = await readInput(
        order,
        context,
        "Cannot release the store",
      );
      const release = await releaseStore(services, { acknowledged });
      await records.refreshNow();
      return operatorAnswer(toReleaseRecord(release));
    }),
  ];
}

/** A hold and what stands against it, as the operator API answers it. */
function toHoldRecord(
  { hold, items }: HoldReview,
): Record<string, unknown> {
  return { ...standingOf(hold), items: items.map(toItemRecord) };
}

/** What came of a release. */
function toReleaseRecord(
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
