import { dayOf } from "../day.ts";
import type { Json } from "../idempotency/canonical_json.ts";
import type { Check } from "./check.ts";
import { detailOf } from "./details.ts";
import {
  agentStep,
  type AgentTool,
  type BidInput,
  givenArguments,
  type NextAction,
} from "./next_action.ts";
import { inputRemedy, remedyFor } from "./remedies.ts";
import { checkAll, type RequirementId } from "./requirements.ts";
import type { BidSnapshot } from "./snapshot.ts";

/** One thing that a bid needs, and how it stands (contract §7.3). */
export interface Requirement {
  id: RequirementId;
  status: Check["status"];
  /** `ok`, `not_given`, or why it is blocked. */
  code: string;
  detail: string;
  action: NextAction | null;
}

/** Whether a bid would stand, and what is to be done until it does. */
export interface FirstBid {
  checkedAtMs: number;
  status: "ready" | "blocked" | "unknown";
  requirements: readonly Requirement[];
  nextAction: NextAction;
  recovery: {
    onUncertain: string;
    read: { tool: AgentTool; arguments: Readonly<Record<string, Json>> };
  };
}

const ON_UNCERTAIN = "After an uncertain write read the bids of the original " +
  "day before you reuse the original request and Idempotency-Key. An accepted " +
  "bid is neither a win nor a delivery.";

/** The input that each requirement waits for when it is unknown. */
const INPUTS: Readonly<Partial<Record<RequirementId, BidInput>>> = {
  creative: "ad_id",
  auction: "day",
  amount: "amount_cents",
};

/**
 * The readiness of a bid: `blocked` if any requirement is, else `unknown` if
 * any is, else `ready`, which it is exactly when POST bids on that state
 * succeeds.
 */
export function firstBid(snapshot: BidSnapshot): FirstBid {
  const requirements = checkAll(snapshot).map(([id, check]) =>
    requirementOf(id, check, snapshot)
  );
  const has = (status: Check["status"]) =>
    requirements.some((requirement) => requirement.status === status);
  const status = has("blocked")
    ? "blocked"
    : has("unknown")
    ? "unknown"
    : "ready";
  const day = snapshot.wanted.day ?? dayOf(snapshot.nowMs);
  return {
    checkedAtMs: snapshot.nowMs,
    status,
    requirements,
    nextAction: nextActionOf(requirements, snapshot),
    recovery: {
      onUncertain: ON_UNCERTAIN,
      read: { tool: "list_my_bids", arguments: { day } },
    },
  };
}

function requirementOf(
  id: RequirementId,
  check: Check,
  snapshot: BidSnapshot,
): Requirement {
  const { status } = check;
  const detail = detailOf(id, check);
  switch (status) {
    case "satisfied":
      return { id, status, code: "ok", detail, action: null };
    case "unknown":
      return {
        id,
        status,
        code: "not_given",
        detail,
        action: inputRemedy(snapshot, inputsOf([id])),
      };
    case "blocked":
      return {
        id,
        status,
        code: check.code,
        detail,
        action: remedyFor(id, check.refusal, snapshot),
      };
  }
}

/** The first blocked requirement's remedy, else what is missing, else the bid. */
function nextActionOf(
  requirements: readonly Requirement[],
  snapshot: BidSnapshot,
): NextAction {
  const blocked = requirements.find(({ status }) => status === "blocked");
  if (blocked?.action) return blocked.action;
  const open = requirements.filter(({ status }) => status === "unknown");
  if (open.length > 0) {
    return inputRemedy(snapshot, inputsOf(open.map(({ id }) => id)));
  }
  return agentStep(
    "place_bid",
    "Place the bid",
    { ...givenArguments(snapshot.wanted), currency: "EUR" },
    ["idempotency_key"],
  );
}

/** The inputs of open requirements, in the order a bid names them. */
function inputsOf(ids: readonly RequirementId[]): BidInput[] {
  const all: readonly BidInput[] = ["day", "ad_id", "amount_cents"];
  const wanted = ids.map((id) => INPUTS[id]);
  return all.filter((input) => wanted.includes(input));
}
