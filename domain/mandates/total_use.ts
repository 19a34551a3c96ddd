/**
 * What a total of a mandate counts: bids from the day on on which it was set,
 * until the mandate ends. A mandate that replaces another before its end goes on
 * with its count, and bids count on while no total is set, so that neither
 * consenting again nor taking the total away and setting it again frees what was
 * used. Decision 0033 says why.
 *
 * @module
 */
import { dayOf, startOfDayMs } from "../day.ts";
import type { Grant, Mandate, TotalUse } from "../oauth/grant.ts";

/** The count of the mandate before, and what the grant used of today. */
interface CountedBefore {
  totalUse: TotalUse | undefined;
  usedTodayCents: number;
  nowMs: number;
}

/** The count that a mandate goes on with; undefined where there is none. */
export function totalUseUnder(
  mandate: Mandate | null,
  { totalUse: standing, usedTodayCents, nowMs }: CountedBefore,
): TotalUse | undefined {
  const goesOn = standing !== undefined && isStanding(standing, nowMs);
  if (mandate?.totalCapCents === undefined) {
    return goesOn ? standing : undefined;
  }
  const { validUntilMs } = mandate;
  if (!goesOn) {
    const sinceMs = startOfDayMs(dayOf(nowMs));
    return { usedCents: usedTodayCents, sinceMs, endsAtMs: validUntilMs };
  }
  const endsAtMs = Math.max(standing.endsAtMs, validUntilMs);
  return { ...standing, endsAtMs };
}

/** The grant with a bid more in its count; null where no count stands. */
export function withTotalUse(
  grant: Grant,
  addedCents: number,
  nowMs: number,
): Grant & { totalUse: TotalUse } | null {
  const { totalUse } = grant;
  if (totalUse === undefined || !isStanding(totalUse, nowMs)) return null;
  const usedCents = totalUse.usedCents + addedCents;
  return { ...grant, totalUse: { ...totalUse, usedCents } };
}

function isStanding({ endsAtMs }: TotalUse, nowMs: number): boolean {
  return nowMs < endsAtMs;
}
