import { closesAtMs, opensAtMs, phaseAt } from "../auction/auction.ts";
import { addDays, type Day, dayOf, isoTime, startOfDayMs } from "../day.ts";
import { unreachable } from "../invariant.ts";
import { MIN_BID_CENTS } from "../limits.ts";
import type { Scope } from "../oauth/grant.ts";
import type { Refusal } from "../refusal.ts";
import {
  agentStep,
  type BidInput,
  givenArguments,
  type NextAction,
  userStep,
  waitStep,
} from "./next_action.ts";
import { labelOf, pageOf, PAGES } from "../pages.ts";
import type { RequirementId } from "./requirements.ts";
import { BID_SCOPE } from "./requirements.ts";
import type { BidSnapshot } from "./snapshot.ts";

/** What takes a blocked requirement out of the way. */
export function remedyFor(
  id: RequirementId,
  refusal: Refusal,
  snapshot: BidSnapshot,
): NextAction {
  switch (id) {
    case "account":
    case "eligibility":
    case "payment_method":
      return humanStep(refusal);
    case "scope":
      return {
        ...userStep(
          `Authorize this agent again with the scope ${BID_SCOPE}`,
          PAGES.agents,
        ),
        required_scopes: [BID_SCOPE],
      };
    case "mandate":
      return mandateRemedy(refusal, snapshot);
    case "creative":
      return creativeRemedy(refusal, snapshot);
    case "auction":
      return auctionRemedy(snapshot);
    case "amount":
      return askAgain("Name a higher amount", "amount_cents", snapshot);
    default:
      return unreachable(id);
  }
}

/** Asks for readiness again with what the query left open. */
export function inputRemedy(
  snapshot: BidSnapshot,
  inputs: readonly BidInput[],
): NextAction {
  return agentStep(
    "get_account",
    `Read readiness again with ${inputs.join(", ")}`,
    givenArguments(snapshot.wanted),
    inputs,
  );
}

function askAgain(
  label: string,
  input: BidInput,
  { wanted }: BidSnapshot,
): NextAction {
  return agentStep(
    "get_account",
    `${label} and read readiness again`,
    givenArguments(wanted, input),
    [input],
  );
}

function humanStep(refusal: Refusal): NextAction {
  const step = refusal.code === "human_step_required"
    ? refusal.reasons[0]
    : undefined;
  // Only a card named in a bid can be missing otherwise.
  if (step === undefined) {
    return userStep("Choose a saved card", PAGES.billing);
  }
  return userStep(labelOf(step), pageOf(step));
}

function creativeRemedy(refusal: Refusal, snapshot: BidSnapshot): NextAction {
  const { creative, grant } = snapshot;
  const may = (scope: Scope) => grant?.scopes.includes(scope) ?? false;
  if (refusal.code === "creative_not_found" || creative === null) {
    const label = "Name an approved creative of the account";
    return may("creatives:read")
      ? agentStep("list_creatives", `${label} of these`, {})
      : askAgain(label, "ad_id", snapshot);
  }
  const given = { ad_id: creative.adId };
  switch (creative.state) {
    case "submitted":
      return waitStep(
        "Wait until the creative is reviewed, or name another one",
        PAGES.creatives,
      );
    case "draft":
      return may("creatives:write")
        ? agentStep("submit_creative", "Submit the creative for review", given)
        : humanStep(refusal);
    case "rejected":
      return may("creatives:read")
        ? agentStep("get_creative", "Read why it was rejected", given)
        : humanStep(refusal);
    default:
      return may("creatives:read")
        ? agentStep("list_creatives", "Name another creative of these", {})
        : humanStep(refusal);
  }
}

/** A smaller bid where one can stand, else the next day or a new mandate. */
function mandateRemedy(refusal: Refusal, snapshot: BidSnapshot): NextAction {
  const mandate = snapshot.grant?.mandate ?? null;
  if (refusal.code !== "mandate_exceeded" || mandate === null) {
    return userStep(
      "Authorize this agent again with a new spending mandate",
      PAGES.agents,
    );
  }
  const { liveBid, usedCents, nowMs } = snapshot;
  const leastCents = liveBid ? liveBid.amountCents + 1 : MIN_BID_CENTS;
  const leastAddedCents = leastCents - (liveBid?.amountCents ?? 0);
  const leftCents = mandate.dailyCapCents - usedCents;
  if (leastCents > mandate.maxBidCents) {
    return userStep(
      "Authorize this agent again with a larger spending mandate",
      PAGES.agents,
    );
  }
  if (leastAddedCents > leftCents) {
    const midnight = isoTime(startOfDayMs(addDays(dayOf(nowMs), 1)));
    return waitStep(
      `Wait until ${midnight}, when the mandate's daily cap begins anew`,
      PAGES.agents,
    );
  }
  const mostCents = Math.min(
    mandate.maxBidCents,
    leftCents + (liveBid?.amountCents ?? 0),
  );
  const label = `Name an amount of ${mostCents} cents at most`;
  return askAgain(label, "amount_cents", snapshot);
}

/** Waits for the wanted day, or for the next one when it is over. */
function auctionRemedy(snapshot: BidSnapshot): NextAction {
  const { wanted, nowMs, settings: { auctionHours } } = snapshot;
  const day = wanted.day ?? dayOf(nowMs);
  const closed = phaseAt(snapshot.auction, nowMs) === "CLOSED" ||
    nowMs >= closesAtMs(day, auctionHours);
  if (!closed) return waitFor(day, snapshot);
  const today = dayOf(nowMs);
  if (day < today && nowMs < closesAtMs(today, auctionHours)) {
    return askAgain("Name a day whose auction is open", "day", snapshot);
  }
  return waitFor(day < today ? addDays(today, 1) : addDays(day, 1), snapshot);
}

function waitFor(day: Day, { nowMs, settings }: BidSnapshot): NextAction {
  // An auction that is due opens within a minute or two of its hour.
  const opensMs = Math.max(opensAtMs(day, settings.auctionHours), nowMs);
  return waitStep(
    `Wait until ${isoTime(opensMs)}, when the auction of ${day} opens`,
    PAGES.home,
  );
}
