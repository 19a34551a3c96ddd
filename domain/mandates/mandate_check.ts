import { addDays, type Day, dayOf, startOfDayMs } from "../day.ts";
import type { Mandate } from "../oauth/grant.ts";
import type { Refusal } from "../refusal.ts";

/** What a bid would take out of a mandate. */
export interface MandateDraw {
  nowMs: number;
  /** Cents this grant's accepted bids committed on the present UTC day. */
  usedCents: number;
  /** Cents that count against the total; 0 where the mandate has none. */
  totalUsedCents: number;
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
 * Why a mandate does not cover a bid; null when it does. Any cap may be the
 * largest: the single bid is judged first, then the total, which no waiting
 * gives back, then the day.
 */
export function mandateRefusal(
  mandate: Mandate,
  draw: MandateDraw,
): Refusal | null {
  const { nowMs, usedCents, totalUsedCents, amountCents, increaseCents } = draw;
  if (mandateEnded(mandate, nowMs)) return { code: "mandate_expired" };
  const { maxBidCents, totalCapCents = Infinity, dailyCapCents } = mandate;
  const exceeded = (
    cap: "bid" | "total" | "day",
    [limitCents, used]: [limit: number, used: number],
    resetsAtMs: number | null,
  ): Refusal => ({
    code: "mandate_exceeded",
    cap,
    limitCents,
    usedCents: used,
    requestedCents: amountCents ?? increaseCents,
    resetsAtMs,
  });
  if (amountCents !== null && amountCents > maxBidCents) {
    return exceeded("bid", [maxBidCents, usedCents], null);
  }
  if (totalUsedCents + increaseCents > totalCapCents) {
    return exceeded("total", [totalCapCents, totalUsedCents], null);
  }
  if (usedCents + increaseCents > dailyCapCents) {
    const fitsADay = increaseCents <= dailyCapCents;
    const resetsAtMs = fitsADay ? nextDayMs(nowMs) : null;
    return exceeded("day", [dailyCapCents, usedCents], resetsAtMs);
  }
  return null;
}

/** When a daily cap begins anew. */
export function nextDayMs(nowMs: number): number {
  return startOfDayMs(addDays(dayOf(nowMs), 1));
}

/**
 * The last day on which a mandate may be used: its end is the first moment of
 * the day after, which people read as a day too many. Null for one that ends
 * within a day.
 */
export function lastDayOf(
  { validUntilMs }: Pick<Mandate, "validUntilMs">,
): Day | null {
  const last = dayOf(validUntilMs - 1);
  return startOfDayMs(addDays(last, 1)) === validUntilMs ? last : null;
}
