import { unreachable } from "../invariant.ts";
import type { CreativeState } from "../creatives/creative.ts";
import { isoTime } from "../day.ts";
import type { HumanStep, Refusal, RefusalOf } from "../refusal.ts";
import type { Check } from "./check.ts";
import type { RequirementId } from "./requirements.ts";
import type { BidSnapshot } from "./snapshot.ts";
import { stepRemedy } from "./step_remedy.ts";

const SATISFIED_TEXTS: Readonly<Record<RequirementId, string>> = {
  account: "The account is onboarded",
  eligibility: "The account may bid",
  scope: "The grant may place bids",
  mandate: "The spending mandate covers what is known of the bid",
  creative: "The creative is approved",
  payment_method: "A card is saved",
  auction: "The auction of the day is open",
  amount: "The amount can be bid",
};

const UNKNOWN_TEXTS: Readonly<Partial<Record<RequirementId, string>>> = {
  creative: "The query names no ad_id",
  auction: "The query names no day",
  amount: "The query names no amount_cents",
};

/** How a requirement stands, in a sentence about the caller alone. */
export function detailOf(
  id: RequirementId,
  check: Check,
  snapshot: BidSnapshot,
): string {
  switch (check.status) {
    case "satisfied":
      return SATISFIED_TEXTS[id];
    case "unknown":
      return UNKNOWN_TEXTS[id] ?? "The query leaves it open";
    case "blocked":
      return blockedText(check.refusal, check.code, snapshot);
    default:
      return unreachable(check);
  }
}

/** Which limit of a mandate was in the way, and how much of it is used. */
export function limitText(
  { cap, limitCents, usedCents, resetsAtMs }: RefusalOf<"mandate_exceeded">,
): string {
  const limit = `${limitCents} cents`;
  const used = `${usedCents} cents are used`;
  if (cap === "bid") return `${limit} for one bid, ${used} today`;
  if (resetsAtMs === null) {
    return `${limit} in all until it ends, ${used}: it does not begin anew`;
  }
  return `${limit} a day, ${used} today: it begins anew at ` +
    isoTime(resetsAtMs);
}

/** Why an own creative is not one that a bid may name. */
const CREATIVE_TEXTS: Readonly<Record<CreativeState, string>> = {
  draft: "The creative is a draft that was not submitted for review",
  submitted: "The creative is under review",
  approved: "The creative is being archived",
  rejected: "The creative was rejected",
  archived: "The creative is archived",
};

/** What is missing, told to who may have to wait for somebody else to act. */
function stepText(step: HumanStep, snapshot: BidSnapshot): string {
  const { creative } = snapshot;
  return step === "creative_not_approved" && creative !== null
    ? CREATIVE_TEXTS[creative.state]
    : stepRemedy(step, snapshot).label;
}

function blockedText(
  refusal: Refusal,
  code: string,
  snapshot: BidSnapshot,
): string {
  switch (refusal.code) {
    case "human_step_required":
      return refusal.reasons.map((step) => stepText(step, snapshot)).join("; ");
    case "scope_missing":
      return `The grant lacks the scope ${refusal.scopes.join(" ")}`;
    case "mandate_missing":
      return "The grant carries no spending mandate";
    case "mandate_expired":
      return "The spending mandate has ended";
    case "mandate_exceeded":
      return `The mandate allows ${limitText(refusal)}`;
    case "creative_not_found":
      return `The account has no creative "${refusal.adId}"`;
    case "payment_method_not_found":
      return `The account has no card "${refusal.paymentMethodId}"`;
    case "payment_method_on_raise":
      return "A raise uses the default card of the account";
    case "auction_not_open":
      return `The auction of ${refusal.day} has not opened yet`;
    case "auction_closed":
      return `The auction of ${refusal.day} has closed`;
    case "bid_not_higher":
      return `The amount must exceed your live bid of ` +
        `${refusal.liveCents} cents`;
    case "bad_bid_body":
      return refusal.message;
    default:
      return `Blocked: ${code}`;
  }
}
