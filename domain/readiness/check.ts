import type { HumanStep, Refusal } from "../refusal.ts";
import { humanStepsRefusal } from "../pages.ts";

/** How one requirement stands. */
export type Check =
  | { status: "satisfied" }
  /** The query did not say which day, creative or amount. */
  | { status: "unknown" }
  | { status: "blocked"; code: string; refusal: Refusal };

/** The requirement is met. */
export const SATISFIED: Check = { status: "satisfied" };
/** The query leaves it open. */
export const UNKNOWN: Check = { status: "unknown" };

/** Blocked by a refusal, whose code is the requirement's unless it has one. */
export function blocked(refusal: Refusal, code: string = refusal.code): Check {
  return { status: "blocked", code, refusal };
}

/** Blocked until a person has acted; satisfied when there is nothing to do. */
export function blockedBySteps(steps: readonly HumanStep[]): Check {
  const [first] = steps;
  if (first === undefined) return SATISFIED;
  return blocked(humanStepsRefusal(steps), first);
}
