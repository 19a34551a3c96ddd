import type { Day } from "../day.ts";

/** Creatives of an account that are not archived. */
export const CREATIVES_KEPT_MAX = 50;
/** Creatives an account may make on one UTC day. */
export const CREATIVES_A_DAY = 50;

/** How many creatives an account has, so that there is an end to it. */
export interface CreativeQuota {
  accountId: string;
  /** Those that are not archived. */
  kept: number;
  /** The last UTC day on which one was made. */
  day: Day;
  /** How many were made on it. */
  made: number;
}

/** Puts one more creative on a quota. */
export function useQuota(quota: CreativeQuota, today: Day):
  | { ok: true; quota: CreativeQuota }
  | { ok: false; bound: "kept" | "day" } {
  if (quota.kept >= CREATIVES_KEPT_MAX) return { ok: false, bound: "kept" };
  const made = quota.day === today ? quota.made : 0;
  if (made >= CREATIVES_A_DAY) return { ok: false, bound: "day" };
  const kept = quota.kept + 1;
  return { ok: true, quota: { ...quota, kept, day: today, made: made + 1 } };
}

/** Takes an archived creative off its quota. */
export function freeQuota(quota: CreativeQuota): CreativeQuota {
  return { ...quota, kept: Math.max(0, quota.kept - 1) };
}
