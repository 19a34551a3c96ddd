import type { Mandate } from "../oauth/grant.ts";
import type { Refusal } from "../refusal.ts";

/** What a bid would take out of a mandate. */
export interface MandateDraw {
  nowMs: number;
  /** Cents this grant's accepted bids committed on the present UTC day. */
  usedCents: number;
  /** The whole bid; null while it is not known. */
  amountCents: number | null;
  /** What the bid adds: all of a new one, the increase of a raise. */
  increaseCents: number;
}

/**
 * Whether the mandate has ended: `valid_until` is its first moment without. A
 * grant without a mandate has none that could end.
 */
export function mandateEnded(mandate: Mandate | null, nowMs: number): boolean {
  return mandate !== null && nowMs >= mandate.validUntilMs;
}

/**
 * Why a mandate does not cover a bid; null when it does. Either cap may be the
 * larger: the single bid is judged first, then the day.
 */
export function mandateRefusal(
  mandate: Mandate,
  draw: MandateDraw,
): Refusal | null {
  const { usedCents, amountCents, increaseCents } = draw;
  if (mandateEnded(mandate, draw.nowMs)) return { code: "mandate_expired" };
  const overBid = amountCents !== null && amountCents > mandate.maxBidCents;
  const overDay = usedCents + increaseCents > mandate.dailyCapCents;
  if (!overBid && !overDay) return null;
  return {
    code: "mandate_exceeded",
    limitCents: overBid ? mandate.maxBidCents : mandate.dailyCapCents,
    usedCents,
    requestedCents: amountCents ?? increaseCents,
  };
}
