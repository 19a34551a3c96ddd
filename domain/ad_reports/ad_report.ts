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
}
