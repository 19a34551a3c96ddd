import { z } from "zod";
import { orderRelease } from "../../../domain/release/order_release.ts";
import { reviewHold } from "../../../domain/release/release_store.ts";
import type { Route } from "../../route_table.ts";
import type { OperatorParts } from "./operator_parts.ts";
import { operation } from "./operation.ts";
import type { JsonBounds } from "../../http/json_body.ts";
import { type Hold, isActiveHold } from "../../../domain/hold/hold.ts";
import { itemId, type ReviewItem } from "../../../domain/release/review.ts";
import { isAdoptable } from "../../../domain/release/adopt_item.ts";
import { reviewText } from "../../../domain/release/review_text.ts";
import { isoOrNull, isoTime } from "../../../domain/day.ts";

/** Names of items in one request: more than a review ever shows. */
const NAMES_MAX = 300;
const NAME_MAX = 300;
/** More erasures than follow a backup that is restored. */
const ERASED_MAX = 1_000;
/** Room for as many of either, of which erased accounts have ids of 30 letters. */
const ORDER_BOUNDS: JsonBounds = { bytes: 128 * 1_024, parts: 1_310 };

const order = z.strictObject({
  acknowledge: z.array(z.string().max(NAME_MAX)).max(NAMES_MAX),
  /** Accounts that were erased after the backup. */
  erased: z.array(z.string().max(NAME_MAX).regex(/^acc_\w+$/)).max(ERASED_MAX)
    .default([]),
});

/** The operator's hand on a store that was restored. */
export function holdRoutes({ services, records }: OperatorParts): Route[] {
  return [
    operation("GET", "/hold", async () => {
      const { hold, items } = await reviewHold(services);
      return { ...standingOf(hold), items: items.map(toItemRecord) };
    }),
    operation("POST", "/hold/release", async ({ body, by }) => {
      const { acknowledge, erased } = await body(
        order,
        "Cannot release the store",
        ORDER_BOUNDS,
      );
      const asked = { by, acknowledged: acknowledge, erased };
      const { hold, adopted, left } = await orderRelease(services, asked);
      await records.refreshNow();
      return { ...standingOf(hold), adopted, left: left.map(toItemRecord) };
    }),
  ];
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
