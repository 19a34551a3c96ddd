/**
 * What the agent API says, member by member as in contract §7.
 *
 * @module
 */
import type { AccountSummary } from "../../../domain/readiness/account_summary.ts";
import type { OwnBid } from "../../../domain/bids/list_my_bids.ts";
import { type Day, isoTime } from "../../../domain/day.ts";
import type { FirstBid } from "../../../domain/readiness/first_bid.ts";
import type { Settings } from "../../../domain/ports.ts";
import type { NextAction } from "../../../domain/readiness/next_action.ts";

/** A bid (contract §7.6). */
export interface WireBid {
  id: string;
  day: Day;
  ad_id: string | null;
  amount_cents: number;
  currency: "EUR";
  status: string;
  placed_at: string;
}

/** One's own bid as it goes out. */
export function wireBid({ bid, status }: OwnBid): WireBid {
  return {
    id: bid.id,
    day: bid.day,
    ad_id: bid.adId,
    amount_cents: bid.amountCents,
    currency: "EUR",
    status,
    placed_at: isoTime(bid.placedAtMs),
  };
}

/** Where the addresses of next steps begin. */
type Addresses = Pick<Settings, "baseUrl" | "authUrl">;

/** An account summary, of the members in contract §7.2 and no others. */
export function wireSummary(
  summary: AccountSummary,
  at: Addresses,
): Record<string, unknown> {
  const { eligibility, mandate } = summary;
  return {
    user_id: summary.userId,
    company_name: summary.companyName,
    country: summary.country,
    tier: summary.tier,
    eligibility: {
      can_bid: eligibility.canBid,
      reasons: eligibility.reasons,
      ...eligibility.actionUrl !== null && {
        action_url: eligibility.actionUrl,
      },
    },
    first_bid: wireFirstBid(summary.firstBid, at),
    mandate: mandate && {
      max_bid_cents: mandate.maxBidCents,
      daily_cap_cents: mandate.dailyCapCents,
      valid_until: isoTime(mandate.validUntilMs),
    },
    scopes: summary.scopes,
  };
}

function wireFirstBid(
  firstBid: FirstBid,
  at: Addresses,
): Record<string, unknown> {
  const { recovery } = firstBid;
  return {
    checked_at: isoTime(firstBid.checkedAtMs),
    status: firstBid.status,
    requirements: firstBid.requirements.map(
      ({ id, status, code, detail, action }) => ({
        id,
        status,
        code,
        detail,
        ...action !== null && { action: wireAction(action, at) },
      }),
    ),
    next_action: wireAction(firstBid.nextAction, at),
    recovery: { on_uncertain: recovery.onUncertain, read: recovery.read },
  };
}

/** With a whole address: who reads it need not know which host it is on. */
function wireAction(
  action: NextAction,
  { baseUrl, authUrl }: Addresses,
): Record<string, unknown> {
  return {
    actor: action.actor,
    label: action.label,
    url: (action.actor === "agent" ? authUrl : baseUrl) + action.url,
    tool: action.tool,
    arguments: action.arguments,
    required_scopes: action.requiredScopes,
    required_inputs: action.requiredInputs,
  };
}
