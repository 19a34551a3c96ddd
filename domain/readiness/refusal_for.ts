import type {
  HumanStep,
  Refusal,
  RefusalCode,
  RefusedBid,
} from "../refusal.ts";
import { humanStepsRefusal } from "../pages.ts";
import { nextDayFrom } from "../auction/next_day.ts";
import { dayStateOf } from "./day_state.ts";
import { firstBid } from "./first_bid.ts";
import { mostAllowed } from "./mandate_room.ts";
import { AGENT_TOOLS, givenArguments } from "./next_action.ts";
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
    const bid = refusedBid(snapshot);
    switch (refusal.code) {
      case "human_step_required":
        return {
          ...humanStepsRefusal(refusals.flatMap(stepsOf)),
          ...withOwnStep(bid, snapshot),
        };
      case "mandate_missing":
      case "mandate_expired":
      case "mandate_exceeded":
        return { ...refusal, ...bid };
      default:
        return refusal;
    }
  }
  return null;
}

/** Whether a repeat of an accepted request meets this refusal all the same. */
export function precedesReplay(refusal: Refusal): boolean {
  return BEFORE_REPLAY.includes(refusal.code);
}

/** What those refusals tell of the bid that a person is asked about. */
function refusedBid(snapshot: BidSnapshot): { bid?: RefusedBid } {
  const { wanted, settings } = snapshot;
  const dayState = dayStateOf(snapshot);
  if (wanted.day === null || dayState === null) return {};
  const asked = givenArguments(wanted);
  const query = new URLSearchParams(
    Object.entries(asked).map(([name, value]) => [name, String(value)]),
  );
  const { url } = AGENT_TOOLS.get_account;
  return {
    bid: {
      day: wanted.day,
      dayState,
      nextDay: nextDayFrom(wanted.day, snapshot),
      asked,
      readinessUrl: `${settings.authUrl}${url}?${query}`,
      mostCents: mostAllowed(snapshot),
    },
  };
}

/** With the tool of the next action, where the agent itself acts first. */
function withOwnStep(
  { bid }: { bid?: RefusedBid },
  snapshot: BidSnapshot,
): { bid?: RefusedBid } {
  if (bid === undefined) return {};
  const { actor, tool } = firstBid(snapshot).next_action;
  if (actor !== "agent" || tool === undefined) return { bid };
  return { bid: { ...bid, agentTool: tool } };
}

function stepsOf(refusal: Refusal): readonly HumanStep[] {
  return refusal.code === "human_step_required" ? refusal.reasons : [];
}
