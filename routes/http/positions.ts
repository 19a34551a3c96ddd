/**
 * Places in lists that are newest first, each as the text behind an opaque
 * cursor: the moment, then the id.
 *
 * @module
 */
import type { CasePlace } from "../../domain/accounts/case_place.ts";
import type {
  CreativePlace,
  ReviewPlace,
} from "../../domain/creatives/creative.ts";
import type { Day } from "../../domain/day.ts";
import { invariant } from "../../domain/invariant.ts";
import type { InvoicePlace } from "../../domain/invoices/invoice.ts";
import type { Made } from "../../domain/newest_first.ts";
import type { Month } from "../../domain/month.ts";
import type { PartnerPlace } from "../../domain/partners/partner.ts";
import type { PayoutPlace } from "../../domain/partners/payout.ts";

/** The positions of a list. */
export interface Positions<Place> {
  /** What they look like. */
  shape: RegExp;
  /** The position of something. */
  of(place: Place): string;
  /** The place that a position names; null for the beginning of the list. */
  at(position: string | null): Place | null;
}

function positions<Place>(
  shape: RegExp,
  of: (place: Place) => string,
  placeOf: (atMs: number, id: string) => Place,
): Positions<Place> {
  return {
    shape,
    of,
    at(position) {
      if (position === null) return null;
      const [, atMs, id] = shape.exec(position) ?? [];
      invariant(id !== undefined, "a position was checked when it was read");
      return placeOf(Number(atMs), id);
    },
  };
}

function madePositions(shape: RegExp): Positions<Made> {
  return positions<Made>(
    shape,
    ({ createdAtMs, id }) => `${createdAtMs} ${id}`,
    (createdAtMs, id) => ({ createdAtMs, id }),
  );
}

/** Of what was made under an id of ours. */
export const MADE_POSITIONS: Positions<Made> = madePositions(
  /^(\d{1,15}) ([A-Za-z0-9_-]{1,64})$/,
);

/** Of saved cards. */
export const CARD_POSITIONS: Positions<Made> = madePositions(
  /^(\d{1,16}) (pm_[A-Za-z0-9_]{1,252})$/,
);

/** Of creatives in their owner's list. */
export const CREATIVE_POSITIONS: Positions<CreativePlace> = positions(
  MADE_POSITIONS.shape,
  ({ createdAtMs, adId }) => `${createdAtMs} ${adId}`,
  (createdAtMs, adId) => ({ createdAtMs, adId }),
);

/** Of creatives that wait for a decision. */
export const REVIEW_POSITIONS: Positions<ReviewPlace> = positions(
  MADE_POSITIONS.shape,
  ({ submittedAtMs, adId }) => `${submittedAtMs} ${adId}`,
  (submittedAtMs, adId) => ({ submittedAtMs, adId }),
);

/** Of invoices. */
export const INVOICE_POSITIONS: Positions<InvoicePlace> = positions(
  /^(\d{1,15}) ([A-Za-z0-9_]{1,255})$/,
  ({ finalizedAtMs, id }) => `${finalizedAtMs} ${id}`,
  (finalizedAtMs, id) => ({ finalizedAtMs, id }),
);

/** Of accounts in the desk's lists of partners. */
export const PARTNER_POSITIONS: Positions<PartnerPlace> = positions(
  /^(\d{1,15}) ([A-Za-z0-9_-]{1,64})$/,
  ({ atMs, accountId }) => `${atMs} ${accountId}`,
  (atMs, accountId) => ({ atMs, accountId }),
);

/** Of accounts about which something waits for an operator. */
export const CASE_POSITIONS: Positions<CasePlace> = positions(
  PARTNER_POSITIONS.shape,
  ({ sinceMs, accountId }) => `${sinceMs} ${accountId}`,
  (sinceMs, accountId) => ({ sinceMs, accountId }),
);

/** Of payouts to a partner. */
export const PAYOUT_POSITIONS: Positions<PayoutPlace> = positions(
  /^(\d{1,15}) ([A-Za-z0-9_]{1,64})$/,
  ({ requestedAtMs, id }) => `${requestedAtMs} ${id}`,
  (requestedAtMs, id) => ({ requestedAtMs, id }),
);

/** Of months. */
export const MONTH_POSITIONS: Positions<{ month: Month }> = {
  shape: /^\d{4}-(?:0[1-9]|1[0-2])$/,
  of: ({ month }) => month,
  at: (position) => position === null ? null : { month: position as Month },
};

/** Of days that were won. */
export const DAY_POSITIONS: Positions<{ day: Day }> = {
  shape: /^\d{4}-\d{2}-\d{2}$/,
  of: ({ day }) => day,
  // Only compared with days: one that is none stands between two.
  at: (position) => position === null ? null : { day: position as Day },
};
