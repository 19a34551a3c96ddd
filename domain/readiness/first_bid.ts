import { dayOf, isoTime } from "../day.ts";
import type { Json } from "../idempotency/canonical_json.ts";
import type { Check } from "./check.ts";
import { detailOf } from "./details.ts";
import { inPractice } from "./in_practice.ts";
import {
  agentStep,
  type AgentTool,
  type BidInput,
  givenArguments,
  type NextAction,
  soonest,
} from "./next_action.ts";
import { inputRemedy, remedyFor } from "./remedies.ts";
import { checkAll, type RequirementId } from "./requirements.ts";
import type { BidSnapshot } from "./snapshot.ts";

/** One thing that a bid needs, and how it stands (contract §7.3). */
interface Requirement {
  id: RequirementId;
  status: Check["status"];
  /** `ok`, `not_given`, or why it is blocked. */
  code: string;
  detail: string;
  action?: NextAction;
}

/** Whether a bid would stand, and what is to be done until it does. */
export interface FirstBid {
  checked_at: string;
  status: "ready" | "blocked" | "unknown";
  requirements: readonly Requirement[];
  next_action: NextAction;
  recovery: {
    on_uncertain: string;
    read: { tool: AgentTool; arguments: Readonly<Record<string, Json>> };
  };
}

const ON_UNCERTAIN = "After an uncertain write read the bids of the original " +
  "day before you reuse the original request and Idempotency-Key. What is not " +
  "there yet may still be on its way: read again a moment later, or send the " +
  "same request with the same key. An accepted bid is neither a win nor a " +
  "delivery.";

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
    checked_at: isoTime(snapshot.nowMs),
    status,
    requirements,
    next_action: nextActionOf(requirements, snapshot),
    recovery: {
      on_uncertain: ON_UNCERTAIN,
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
  const detail = detailOf(id, check, snapshot);
  switch (status) {
    case "satisfied":
      return { id, status, code: "ok", detail };
    case "unknown": {
      const action = whole(inputRemedy(snapshot, inputsOf([id])), snapshot);
      return { id, status, code: "not_given", detail, action };
    }
    case "blocked": {
      const action = whole(remedyFor(id, check.refusal, snapshot), snapshot);
      return { id, status, code: check.code, detail, action };
    }
  }
}

/** With a whole address: who reads it need not know which host it is on. */
function whole(action: NextAction, snapshot: BidSnapshot): NextAction {
  const { settings: { baseUrl, authUrl, practice } } = snapshot;
  if (practice !== undefined) return inPractice(action, practice, snapshot);
  const host = action.actor === "agent" ? authUrl : baseUrl;
  return { ...action, url: host + action.url };
}

/**
 * While one of these holds no other step helps (contract §7.3): not whom no
 * step lets bid, nor on a day that is over.
 */
const HOPELESS: readonly string[] = [
  "operator_account",
  "suspended",
  "auction_closed",
];

/**
 * What unblocks soonest, else what is missing, else the bid. Whoever may not
 * bid at all is sent nowhere else, and who wants a day that is over to another.
 */
function nextActionOf(
  requirements: readonly Requirement[],
  snapshot: BidSnapshot,
): NextAction {
  const blocked = requirements.filter(({ status }) => status === "blocked");
  const hopeless = blocked.find(({ code }) => HOPELESS.includes(code));
  const actions = blocked.flatMap(({ action }) => action ?? []);
  const next = hopeless?.action ?? soonest(actions, snapshot.nowMs);
  if (next !== undefined) return next;
  const open = requirements.filter(({ status }) => status === "unknown");
  if (open.length > 0) {
    const inputs = inputsOf(open.map(({ id }) => id));
    return whole(inputRemedy(snapshot, inputs), snapshot);
  }
  const bid = { ...givenArguments(snapshot.wanted), currency: "EUR" };
  const step = agentStep("place_bid", "Place the bid", bid, [
    "idempotency_key",
  ]);
  return whole(step, snapshot);
}

/** The inputs of open requirements, in the order a bid names them. */
function inputsOf(ids: readonly RequirementId[]): BidInput[] {
  const all: readonly BidInput[] = ["day", "ad_id", "amount_cents"];
  const wanted = ids.map((id) => INPUTS[id]);
  return all.filter((input) => wanted.includes(input));
}
