import { opensAtMs } from "../auction/auction.ts";
import type { Creative } from "../creatives/creative.ts";
import { stepsBeforeReview } from "../creatives/submit_creative.ts";
import { dayOf, isoTime } from "../day.ts";
import { unreachable } from "../invariant.ts";
import { nextDayMs } from "../mandates/mandate_check.ts";
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
import { PAGES } from "../pages.ts";
import type { RequirementId } from "./requirements.ts";
import { nextDayFrom } from "../auction/next_day.ts";
import { dayStateOf } from "./day_state.ts";
import { mandateRoom } from "./mandate_room.ts";
import { BID_SCOPE } from "./requirements.ts";
import type { BidSnapshot } from "./snapshot.ts";
import { DECISION_POLL_S, dueTime, stepsRemedy } from "./step_remedy.ts";

const READ_AND_CHANGE = "Read why it was rejected, then change it with " +
  "update_creative: that makes a new draft with an ad_id of its own, to submit";
const WRITE_ONE = "Write an advertisement: that makes a draft, to submit for " +
  "review";
const CREATIVE_INPUTS = [
  "headline",
  "description",
  "target_url",
  "idempotency_key",
];
const ANOTHER_CREATIVE = "Name an approved creative of these, or write one";

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
      return humanStep(refusal, snapshot);
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
      return auctionRemedy(refusal, snapshot);
    case "amount":
      return refusal.code === "bid_not_higher" && isOver(snapshot)
        ? anotherDay(snapshot)
        : askAgain("Name a higher amount", "amount_cents", snapshot);
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

function humanStep(refusal: Refusal, snapshot: BidSnapshot): NextAction {
  const steps = refusal.code === "human_step_required" ? refusal.reasons : [];
  // Only a card named in a bid can be missing otherwise.
  return stepsRemedy(steps, snapshot) ??
    userStep("Choose a saved card", PAGES.billing);
}

function creativeRemedy(refusal: Refusal, snapshot: BidSnapshot): NextAction {
  const { creative, nearest, grant } = snapshot;
  const may = (scope: Scope) => grant?.scopes.includes(scope) ?? false;
  // Among the account's creatives there is none to be named.
  if (nearest === "none") return firstCreative(refusal, snapshot);
  if (nearest !== null) {
    const instead = { creative: nearest, newestVersion: null, nearest: null };
    return creativeRemedy(refusal, { ...snapshot, ...instead });
  }
  if (refusal.code === "creative_not_found" || creative === null) {
    return may("creatives:read")
      ? agentStep("list_creatives", ANOTHER_CREATIVE, {})
      : askAgain("Name an approved creative of the account", "ad_id", snapshot);
  }
  // Nothing comes of one that was rejected once there is another version.
  const { newestVersion } = snapshot;
  const { adId, state } = newestVersion ?? creative;
  const which = newestVersion === null
    ? "the creative"
    : `"${adId}", its newest version,`;
  const given = { ad_id: adId };
  switch (state) {
    case "submitted":
      return waitStep(
        `Wait until ${which} is reviewed, which an event tells as well, or ` +
          "name another one",
        PAGES.creatives,
        { poll_after_seconds: DECISION_POLL_S },
      );
    case "draft": {
      const before = stepsRemedy(stepsBeforeReview(snapshot.account), snapshot);
      if (before !== undefined) return before;
      return may("creatives:write")
        ? agentStep("submit_creative", `Submit ${which} for review`, given)
        : humanStep(refusal, snapshot);
    }
    case "approved":
      if (newestVersion !== null) return withVersion(newestVersion, snapshot);
      return anotherCreative(refusal, snapshot);
    case "rejected":
      return may("creatives:read")
        ? agentStep("get_creative", READ_AND_CHANGE, given)
        : humanStep(refusal, snapshot);
    case "archived":
      return anotherCreative(refusal, snapshot);
  }
}

/** Writes an advertisement, once one can be submitted. */
function firstCreative(refusal: Refusal, snapshot: BidSnapshot): NextAction {
  const before = stepsRemedy(stepsBeforeReview(snapshot.account), snapshot);
  if (before !== undefined) return before;
  return snapshot.grant?.scopes.includes("creatives:write")
    ? agentStep("create_creative", WRITE_ONE, {}, CREATIVE_INPUTS)
    : humanStep(refusal, snapshot);
}

function anotherCreative(refusal: Refusal, snapshot: BidSnapshot): NextAction {
  return snapshot.grant?.scopes.includes("creatives:read")
    ? agentStep("list_creatives", ANOTHER_CREATIVE, {})
    : humanStep(refusal, snapshot);
}

/** Asks for readiness again with the version that was approved meanwhile. */
function withVersion({ adId }: Creative, { wanted }: BidSnapshot): NextAction {
  return agentStep(
    "get_account",
    `Read readiness again with "${adId}", its newest version, which is approved`,
    givenArguments({ ...wanted, adId }),
  );
}

/**
 * What the mandate allows on the wanted day: all of it after a wait, where the
 * day then still takes bids, else a smaller bid, else a new mandate.
 */
function mandateRemedy(refusal: Refusal, snapshot: BidSnapshot): NextAction {
  const room = mandateRoom(snapshot);
  if (refusal.code !== "mandate_exceeded" || room === null) {
    return newMandate("a new spending mandate");
  }
  // What is left today is of no use for a day that is over.
  if (isOver(snapshot)) return anotherDay(snapshot);
  const { wanted: { day, amountCents }, nowMs } = snapshot;
  const { leastCents, mostCents, mostEverCents } = room;
  if (leastCents > mostEverCents) {
    return newMandate("a larger spending mandate");
  }
  const fitsNow = leastCents <= mostCents;
  // No day would take it, so that no wait helps before it is smaller.
  if (amountCents !== null && amountCents > mostEverCents) {
    return nameAtMost(fitsNow ? mostCents : mostEverCents, snapshot);
  }
  if (day === null || day > dayOf(nowMs)) {
    const now = fitsNow
      ? `, or name an amount of ${mostCents} cents at most`
      : "";
    return capRemedy(snapshot, now);
  }
  // Midnight, when the cap begins anew, is too late for today.
  return fitsNow
    ? nameAtMost(mostCents, snapshot)
    : newMandate("a larger daily cap, or name a later day");
}

function nameAtMost(cents: number, snapshot: BidSnapshot): NextAction {
  const label = `Name an amount of ${cents} cents at most`;
  return askAgain(label, "amount_cents", snapshot);
}

/** Waits for midnight, when the cap begins anew. */
function capRemedy(snapshot: BidSnapshot, orNow: string): NextAction {
  return waitWithMandate(
    snapshot,
    nextDayMs(snapshot.nowMs),
    (until) =>
      `Wait until ${until}, when the mandate's daily cap begins anew${orNow}`,
  );
}

function newMandate(wanted: string): NextAction {
  return userStep(`Authorize this agent again with ${wanted}`, PAGES.agents);
}

/** A wait that the mandate outlives, else a new mandate. */
function waitWithMandate(
  { grant, nowMs }: BidSnapshot,
  untilMs: number,
  label: (until: string) => string,
): NextAction {
  const endsMs = grant?.mandate?.validUntilMs ?? Infinity;
  if (endsMs <= untilMs) return newMandate("a mandate that is valid by then");
  const time = dueTime(untilMs, nowMs);
  return waitStep(label(isoTime(Math.max(untilMs, nowMs))), PAGES.home, time);
}

/** Waits for the wanted day; from one that is over only another day helps. */
function auctionRemedy(refusal: Refusal, snapshot: BidSnapshot): NextAction {
  const { wanted, nowMs, settings: { auctionHours } } = snapshot;
  const day = wanted.day ?? dayOf(nowMs);
  if (refusal.code !== "auction_closed") {
    // An auction that is due opens within a minute or two of its hour.
    return waitWithMandate(
      snapshot,
      opensAtMs(day, auctionHours),
      (until) => `Wait until ${until}, when the auction of ${day} opens`,
    );
  }
  return anotherDay(snapshot);
}

function isOver(snapshot: BidSnapshot): boolean {
  return dayStateOf(snapshot) === "closed";
}

/** The wanted day is over: asks for readiness again with one that is not. */
function anotherDay(snapshot: BidSnapshot): NextAction {
  const { wanted: { day }, nowMs } = snapshot;
  const next = nextDayFrom(day ?? dayOf(nowMs), snapshot).day;
  return askAgain(`Name another day, ${next} or later,`, "day", snapshot);
}
