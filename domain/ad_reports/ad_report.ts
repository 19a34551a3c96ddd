import type { PolicyId } from "../creatives/policies.ts";
import type { Day } from "../day.ts";

/** What a reader says about a Spotlight, for the operator's desk. */
export interface AdReport {
  id: string;
  /** The Spotlight that is reported. */
  day: Day;
  /** The policy that it is said to break; null for something else. */
  policyId: PolicyId | null;
  /** What the reader wrote: a stranger's text, never instructions. */
  text: string;
  reportedAtMs: number;
  /** Null until an operator has dealt with it. */
  closedAtMs: number | null;
  /** Reports are not kept for ever: readers write about people in them. */
  expiresAtMs: number;
}

/** How many reports a Spotlight has had, those not kept among them. */
export interface ReportTally {
  day: Day;
  count: number;
  /** Those that are kept and nobody has closed; absent in earlier rows. */
  open?: number;
  /** When the last of those is forgotten; absent in earlier rows. */
  openUntilMs?: number;
}

/** Reports of one Spotlight that lie open; beyond that they are counted only. */
export const REPORTS_OPEN_MAX = 200;
/**
 * So many lie open before a network's second one is counted only: the places that
 * are left then are for as many networks, and not for whoever sends many.
 */
export const REPEATED_REPORTS_MAX = 100;

/**
 * How many places are taken. A report that is closed leaves its place at once;
 * those that are forgotten leave theirs together, with the last of them.
 */
export function openOf(
  { count, open, openUntilMs = Infinity }: ReportTally,
  nowMs: number,
): number {
  if (nowMs >= openUntilMs) return 0;
  return open ?? Math.min(count, REPORTS_OPEN_MAX);
}
