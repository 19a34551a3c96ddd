import { eligibilityReasons } from "../accounts/eligibility.ts";
import { isRefused } from "../cards/card.ts";
import { isBiddable } from "../creatives/creative.ts";
import { MAX_BID_CENTS, MIN_BID_CENTS } from "../limits.ts";
import { mandateRefusal } from "../mandates/mandate_check.ts";
import type { EligibilityReason } from "../refusal.ts";
import {
  blocked,
  blockedBySteps,
  type Check,
  SATISFIED,
  UNKNOWN,
} from "./check.ts";
import { nextDayFrom } from "../auction/next_day.ts";
import { dayStateOf } from "./day_state.ts";
import { usedWhenPlaced } from "./mandate_room.ts";
import { type BidSnapshot, increaseCents } from "./snapshot.ts";

/** The scope that placing and raising bids takes. */
export const BID_SCOPE = "bids:write";

/** The account is onboarded. */
function checkAccount({ account }: BidSnapshot): Check {
  return blockedBySteps(account.company ? [] : ["onboarding_incomplete"]);
}

/** Nothing about the account forbids it to bid, its card apart. */
function checkEligibility(snapshot: BidSnapshot): Check {
  return blockedBySteps(
    reasonsOf(snapshot).filter((reason) => reason !== "no_payment_method"),
  );
}

/** The grant may place bids. */
function checkScope({ grant }: BidSnapshot): Check {
  if (grant === null || grant.scopes.includes(BID_SCOPE)) return SATISFIED;
  return blocked({ code: "scope_missing", scopes: [BID_SCOPE] });
}

/**
 * The mandate lives and covers the amount, as far as it is known, on the day on
 * which the bid can be placed.
 */
function checkMandate(snapshot: BidSnapshot): Check {
  const { grant, nowMs, wanted } = snapshot;
  if (grant === null) return SATISFIED;
  if (grant.mandate === null) {
    return blocked({ code: "mandate_missing" });
  }
  const refusal = mandateRefusal(grant.mandate, {
    nowMs,
    usedCents: usedWhenPlaced(snapshot),
    totalUsedCents: grant.totalUse?.usedCents ?? 0,
    amountCents: wanted.amountCents,
    increaseCents: increaseCents(snapshot),
  });
  return refusal === null ? SATISFIED : blocked(refusal);
}

/**
 * The creative is the account's own and approved. Where none of the account's
 * is, no other that is named later helps.
 */
function checkCreative(
  { wanted, creative, nearest, nowMs }: BidSnapshot,
): Check {
  if (wanted.adId === null) {
    return nearest === null
      ? UNKNOWN
      : blockedBySteps(["creative_not_approved"]);
  }
  if (creative === null) {
    return blocked({ code: "creative_not_found", adId: wanted.adId });
  }
  const stands = isBiddable(creative, nowMs);
  return blockedBySteps(stands ? [] : ["creative_not_approved"]);
}

/** There is a card to charge; a raise always takes the default one. */
function checkPaymentMethod(snapshot: BidSnapshot): Check {
  const { wanted, liveBid, card } = snapshot;
  const { paymentMethodId } = wanted;
  if (paymentMethodId !== null && liveBid !== null) {
    return blocked({ code: "payment_method_on_raise" });
  }
  if (reasonsOf(snapshot).includes("no_payment_method")) {
    return blockedBySteps(["no_payment_method"]);
  }
  if (paymentMethodId !== null && card === null) {
    return blocked({ code: "payment_method_not_found", paymentMethodId });
  }
  // The default card's refusal is the account's; this is of one that is named.
  return blockedBySteps(card && isRefused(card) ? ["card_refused"] : []);
}

/** The auction of the wanted day is open at this moment. */
function checkAuction(snapshot: BidSnapshot): Check {
  const { day } = snapshot.wanted;
  if (day === null) return UNKNOWN;
  const state = dayStateOf(snapshot);
  if (state === "open") return SATISFIED;
  const code = state === "closed" ? "auction_closed" : "auction_not_open";
  return blocked({ code, day, nextDay: nextDayFrom(day, snapshot) });
}

/** The amount is one that can be bid, and higher than one's own live bid. */
function checkAmount({ wanted, liveBid }: BidSnapshot): Check {
  const { amountCents } = wanted;
  if (amountCents === null) return UNKNOWN;
  if (!isBidAmount(amountCents)) {
    const message = `Cannot place the bid: amount_cents must be an integer ` +
      `from ${MIN_BID_CENTS} to ${MAX_BID_CENTS}, current value is ` +
      `${amountCents}`;
    return blocked({ code: "bad_bid_body", message }, "amount_out_of_bounds");
  }
  if (liveBid === null || amountCents > liveBid.amountCents) return SATISFIED;
  const liveCents = liveBid.amountCents;
  return blocked({ code: "bid_not_higher", liveCents, amountCents });
}

function reasonsOf({ account, settings }: BidSnapshot): EligibilityReason[] {
  return eligibilityReasons(account, settings);
}

function isBidAmount(cents: number): boolean {
  return Number.isSafeInteger(cents) && cents >= MIN_BID_CENTS &&
    cents <= MAX_BID_CENTS;
}

/** The requirements, in the order in which they are always listed. */
const REQUIREMENTS = {
  account: checkAccount,
  eligibility: checkEligibility,
  scope: checkScope,
  mandate: checkMandate,
  creative: checkCreative,
  payment_method: checkPaymentMethod,
  auction: checkAuction,
  amount: checkAmount,
} as const satisfies Record<string, (snapshot: BidSnapshot) => Check>;

/** Names a requirement. */
export type RequirementId = keyof typeof REQUIREMENTS;

/** Every requirement with how it stands, in the order of the contract. */
export function checkAll(snapshot: BidSnapshot): [RequirementId, Check][] {
  const ids = Object.keys(REQUIREMENTS) as RequirementId[];
  return ids.map((id) => [id, REQUIREMENTS[id](snapshot)]);
}
