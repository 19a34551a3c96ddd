import { unreachable } from "../invariant.ts";
import { closesAtMs as closesAtMsOf } from "../auction/auction.ts";
import type { CreativeState } from "../creatives/creative.ts";
import { dayOf, isoTime } from "../day.ts";
import { nextDayMs } from "../mandates/mandate_check.ts";
import { isToldOfBids } from "../oauth/grant.ts";
import { PAGES } from "../pages.ts";
import type { HumanStep, NextDay, Refusal, RefusalOf } from "../refusal.ts";
import type { Check } from "./check.ts";
import { nextDayFrom } from "../auction/next_day.ts";
import { dayStateOf } from "./day_state.ts";
import { OVER_IN_PRACTICE, standsWith } from "./in_practice.ts";
import { mostAllowed } from "./mandate_room.ts";
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
      return `The query names no day: ${todayText(snapshot)}`;
    case "amount":
      return "The query names no amount_cents";
    default:
      return "The query leaves it open";
  }
}

/** How today stands, or which day comes next where it is over. */
function todayText(snapshot: BidSnapshot): string {
  const { nowMs, settings: { auctionHours, practice } } = snapshot;
  const today = dayOf(nowMs);
  const next = nextDayFrom(today, snapshot);
  if (next.day !== today) {
    const closed = `today, ${today}, has closed`;
    return practice === undefined
      ? `${closed}, and ${nextDayText(next)}`
      : `${closed}, ${OVER_IN_PRACTICE}`;
  }
  const { closesAtMs = closesAtMsOf(today, auctionHours) } = snapshot.auction ??
    {};
  return `today is ${today}, ${takesText(next)} until ${isoTime(closesAtMs)}`;
}

/** Which day can be bid on, and from when on. */
export function nextDayText(next: NextDay): string {
  return `the next day to bid on is ${next.day}, ${takesText(next)}`;
}

function takesText({ opensAtMs }: NextDay): string {
  return opensAtMs === null
    ? "which takes bids now"
    : `which takes bids from ${isoTime(opensAtMs)}`;
}

/** When a day that has not opened takes bids, as the end of that sentence. */
export function opensText({ opensAtMs }: NextDay): string {
  return opensAtMs === null
    ? ", it is due and opens within a minute or two: try again then"
    : `: it takes bids from ${isoTime(opensAtMs)}`;
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
  const { maxBidCents, dailyCapCents } = mandate;
  const covers = "The spending mandate covers what is known of the bid: ";
  const total = totalText(grant);
  const inAll = total === null ? "" : `, ${total}`;
  const atMost = `${maxBidCents} cents are the most for one bid`;
  if (!isToldOfBids(grant?.scopes ?? [])) {
    return covers + `${dailyCapCents} cents are the most a day${inAll}, and ` +
      atMost;
  }
  return covers + `${leftText(dailyCapCents, usedCents)} are left today, ` +
    `until ${isoTime(nextDayMs(nowMs))}${inAll}, and ${atMost}`;
}

/**
 * A mandate's total, with what is left of it for who may know; null where it
 * has none.
 */
function totalText(grant: BidSnapshot["grant"]): string | null {
  const capCents = grant?.mandate?.totalCapCents;
  if (capCents === undefined) return null;
  const amount = isToldOfBids(grant?.scopes ?? [])
    ? `${leftText(capCents, grant?.totalUse?.usedCents ?? 0)} are left`
    : `${capCents} cents are the most`;
  return `${amount} in all until it ends`;
}

function leftText(capCents: number, usedCents: number): string {
  return `${Math.max(0, capCents - usedCents)} of ${capCents} cents`;
}

/** Where an agent, or its user, finds the ids of creatives. */
function whereIdsAre({ grant, settings }: BidSnapshot): string {
  if (settings.practice !== undefined) return standsWith(settings.practice);
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
  // What is used does not count for a single bid, nor does waiting help one
  // that is more than a day's.
  if (cap === "bid") return `${limit} for one bid`;
  if (cap === "total") {
    return `${limit} in all until it ends, ${used}: it does not begin anew`;
  }
  if (resetsAtMs === null) return `${limit} a day`;
  return `${limit} a day, ${used} today: it begins anew at ` +
    isoTime(resetsAtMs);
}

/** How much the bid can be all the same, as the end of that sentence. */
export function mostText(mostCents: number | null): string {
  return mostCents === null ? "" : `; amount_cents can be ${mostCents} at most`;
}

/** Why an own creative is not one that a bid may name, after its name. */
const CREATIVE_TEXTS: Readonly<Record<CreativeState, string>> = {
  draft: "is a draft that was not submitted for review",
  submitted: "is under review",
  approved: "is being archived",
  rejected: "was rejected",
  archived: "is archived",
};

/** What the account has that is no approved creative; null where it may have one. */
function nearestText({ nearest }: BidSnapshot): string | null {
  if (nearest === null) return null;
  return nearest === "none"
    ? "The account has no creative yet"
    : `None of the account's creatives is approved: "${nearest.adId}" ` +
      CREATIVE_TEXTS[nearest.state];
}

/** What is missing, told to who may have to wait for somebody else to act. */
function stepText(step: HumanStep, snapshot: BidSnapshot): string {
  const { creative, newestVersion } = snapshot;
  if (step !== "creative_not_approved") return stepRemedy(step, snapshot).label;
  if (creative === null) {
    return nearestText(snapshot) ?? stepRemedy(step, snapshot).label;
  }
  const version = newestVersion === null
    ? ""
    : `, and its newest version is "${newestVersion.adId}"`;
  return `The creative ${CREATIVE_TEXTS[creative.state]}${version}`;
}

/** In a rehearsal no other day comes; null in earnest. */
function inPracticeText(
  { wanted, settings: { practice } }: BidSnapshot,
): string | null {
  if (practice === undefined) return null;
  return wanted.day === practice.day
    ? `: ${OVER_IN_PRACTICE}`
    : `: ${standsWith(practice)}`;
}

/** Which limit is in the way, and how the total stands where it is another one. */
function exceededText(
  refusal: RefusalOf<"mandate_exceeded">,
  snapshot: BidSnapshot,
): string {
  const total = refusal.cap === "total" ? null : totalText(snapshot.grant);
  return `The mandate allows ${limitText(refusal)}` +
    mostText(mostAllowed(snapshot)) +
    (total === null ? "" : `; ${total}`);
}

/** Against what the amount is: a bid of a day that is over is not live. */
function notHigherText(
  { liveCents }: RefusalOf<"bid_not_higher">,
  snapshot: BidSnapshot,
): string {
  if (dayStateOf(snapshot) !== "closed") {
    return `The amount must exceed your live bid of ${liveCents} cents`;
  }
  const won = snapshot.liveBid?.status === "won" ? " won and" : "";
  return `Your bid of ${liveCents} cents${won} can't be raised any more: the ` +
    `auction of ${snapshot.wanted.day} has closed`;
}

function blockedText(
  refusal: Refusal,
  code: string,
  snapshot: BidSnapshot,
): string {
  switch (refusal.code) {
    case "human_step_required":
      // Several may wait for the same one thing.
      return [
        ...new Set(refusal.reasons.map((each) => stepText(each, snapshot))),
      ]
        .join("; ");
    case "scope_missing":
      return `The grant lacks the scope ${refusal.scopes.join(" ")}`;
    case "mandate_missing":
      return "The grant carries no spending mandate";
    case "mandate_expired":
      return "The spending mandate has ended";
    case "mandate_exceeded":
      return exceededText(refusal, snapshot);
    case "creative_not_found":
      return nearestText(snapshot) ??
        `The account has no creative "${refusal.adId}": ` +
          whereIdsAre(snapshot);
    case "payment_method_not_found":
      return `The account has no card "${refusal.paymentMethodId}"`;
    case "payment_method_on_raise":
      return "A raise uses the default card of the account";
    case "auction_not_open":
      return `The auction of ${refusal.day} has not opened yet` +
        (inPracticeText(snapshot) ?? opensText(refusal.nextDay));
    case "auction_closed":
      return `The auction of ${refusal.day} has closed` +
        (inPracticeText(snapshot) ?? `: ${nextDayText(refusal.nextDay)}`);
    case "bid_not_higher":
      return notHigherText(refusal, snapshot);
    case "bad_bid_body":
      return refusal.message;
    default:
      return `Blocked: ${code}`;
  }
}
