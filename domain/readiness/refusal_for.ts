import type { HumanStep, Refusal, RefusalCode } from "../refusal.ts";
import { humanStepsRefusal } from "../pages.ts";
import { checkAll } from "./requirements.ts";
import type { BidSnapshot } from "./snapshot.ts";

/** Which refusal a bid is answered with when several hold: the first of these. */
const PRECEDENCE = [
  "scope_missing",
  "bad_bid_body",
  "payment_method_on_raise",
  "mandate_missing",
  "mandate_expired",
  "mandate_exceeded",
  "human_step_required",
  "creative_not_found",
  "payment_method_not_found",
  "auction_not_open",
  "auction_closed",
  "bid_not_higher",
] as const satisfies readonly RefusalCode[];

/** These hold whatever was answered before, so they come before a replay. */
const BEFORE_REPLAY: readonly RefusalCode[] = ["scope_missing", "bad_bid_body"];

/**
 * The refusal a bid meets on this state; null when it stands. It asks the same
 * requirements as readiness does, so "ready" and a refusal exclude each other.
 * Decision 0030 says why.
 */
export function refusalFor(snapshot: BidSnapshot): Refusal | null {
  const refusals = checkAll(snapshot).flatMap(([, check]) =>
    check.status === "blocked" ? [check.refusal] : []
  );
  for (const code of PRECEDENCE) {
    const refusal = refusals.find((each) => each.code === code);
    if (refusal === undefined) continue;
    return code === "human_step_required"
      ? humanStepsRefusal(refusals.flatMap(stepsOf))
      : refusal;
  }
  return null;
}

/** Whether a repeat of an accepted request meets this refusal all the same. */
export function precedesReplay(refusal: Refusal): boolean {
  return BEFORE_REPLAY.includes(refusal.code);
}

function stepsOf(refusal: Refusal): readonly HumanStep[] {
  return refusal.code === "human_step_required" ? refusal.reasons : [];
}
