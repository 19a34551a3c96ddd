import { unreachable } from "../invariant.ts";
import type { CreativeState } from "../creatives/creative.ts";
import { dayOf, isoTime } from "../day.ts";
import { nextDayMs } from "../mandates/mandate_check.ts";
import { PAGES } from "../pages.ts";
import type { HumanStep, Refusal, RefusalOf } from "../refusal.ts";
import type { Check } from "./check.ts";
import type { RequirementId } from "./requirements.ts";
import type { BidSnapshot } from "./snapshot.ts";
import { stepRemedy } from "./step_remedy.ts";

const SATISFIED_TEXTS: Readonly<Record<RequirementId, string>> = {
  account: "The account is onboarded",
  eligibility: "The account may bid",
  scope: "The grant may place bids",
  mandate: "No spending mandate is needed",
  creative: "The creative is approved",
  payment_method: "A card is saved",
  auction: "The auction of the day is open",
  amount: "The amount can be bid",
};

/** What the query left out, and where it comes from. */
function unknownText(id: RequirementId, snapshot: BidSnapshot): string {
  switch (id) {
    case "creative":
      return `The query names no ad_id: ${whereIdsAre(snapshot)}`;
    case "auction":
      return `The query names no day: today is ${dayOf(snapshot.nowMs)}`;
    case "amount":
      return "The query names no amount_cents";
    default:
      return "The query leaves it open";
  }
}

/** How a requirement stands, in a sentence about the caller alone. */
export function detailOf(
  id: RequirementId,
  check: Check,
  snapshot: BidSnapshot,
): string {
  switch (check.status) {
    case "satisfied":
      return satisfiedText(id, snapshot);
    case "unknown":
      return unknownText(id, snapshot);
    case "blocked":
      return blockedText(check.refusal, check.code, snapshot);
    default:
      return unreachable(check);
  }
}

function satisfiedText(id: RequirementId, snapshot: BidSnapshot): string {
  if (id === "mandate") return mandateText(snapshot);
  // The card is a requirement of its own.
  const isWithoutCard = snapshot.account.defaultPaymentMethodId === null;
  return id === "eligibility" && isWithoutCard
    ? "Nothing but a card keeps the account from bidding"
    : SATISFIED_TEXTS[id];
}

/** What is left of the mandate that covers what is known of the bid. */
function mandateText({ grant, usedCents, nowMs }: BidSnapshot): string {
  const mandate = grant?.mandate ?? null;
  if (mandate === null) return SATISFIED_TEXTS.mandate;
  const { maxBidCents, dailyCapCents, totalCapCents: inAllCents } = mandate;
  const left = (capCents: number, used: number) =>
    `${Math.max(0, capCents - used)} of ${capCents} cents`;
  const usedInAllCents = grant?.totalUse?.usedCents ?? 0;
  const inAll = inAllCents === undefined
    ? ""
    : `, ${left(inAllCents, usedInAllCents)} in all until it ends`;
  return "The spending mandate covers what is known of the bid: " +
    `${left(dailyCapCents, usedCents)} are left today, until ` +
    `${isoTime(nextDayMs(nowMs))}${inAll}, and ${maxBidCents} cents are the ` +
    "most for one bid";
}

/** Where an agent, or its user, finds the ids of creatives. */
function whereIdsAre({ grant, settings }: BidSnapshot): string {
  return grant?.scopes.includes("creatives:read")
    ? "list_creatives has those of the account"
    : `the user finds those of the account at ${settings.baseUrl}` +
      PAGES.creatives;
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
  const { creative, newestVersion } = snapshot;
  if (step !== "creative_not_approved" || creative === null) {
    return stepRemedy(step, snapshot).label;
  }
  const version = newestVersion === null
    ? ""
    : `, and its newest version is "${newestVersion.adId}"`;
  return CREATIVE_TEXTS[creative.state] + version;
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
      return `The account has no creative "${refusal.adId}": ` +
        whereIdsAre(snapshot);
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
