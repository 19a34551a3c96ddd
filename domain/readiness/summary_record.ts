import { isoTime } from "../day.ts";
import type { Settings } from "../ports.ts";
import type { AccountSummary } from "./account_summary.ts";
import type { FirstBid } from "./first_bid.ts";
import type { NextAction } from "./next_action.ts";

/** Where the addresses of next steps begin. */
type Addresses = Pick<Settings, "baseUrl" | "authUrl">;

/** An account summary, of the members in contract §7.2 and no others. */
export function toSummaryRecord(
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
    first_bid: toFirstBidRecord(summary.firstBid, at),
    mandate: mandate && {
      max_bid_cents: mandate.maxBidCents,
      daily_cap_cents: mandate.dailyCapCents,
      valid_until: isoTime(mandate.validUntilMs),
    },
    scopes: summary.scopes,
  };
}

function toFirstBidRecord(
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
        ...action !== null && { action: toActionRecord(action, at) },
      }),
    ),
    next_action: toActionRecord(firstBid.nextAction, at),
    recovery: { on_uncertain: recovery.onUncertain, read: recovery.read },
  };
}

/** With a whole address: who reads it need not know which host it is on. */
function toActionRecord(
  action: NextAction,
  { baseUrl, authUrl }: Addresses,
): Record<string, unknown> {
  return {
    actor: action.actor,
    label: action.label,
    url: (action.actor === "agent" ? authUrl : baseUrl) + action.url,
    ...action.tool !== undefined && { tool: action.tool },
    ...action.arguments !== undefined && { arguments: action.arguments },
    ...action.requiredScopes !== undefined &&
      { required_scopes: action.requiredScopes },
    ...action.requiredInputs !== undefined &&
      { required_inputs: action.requiredInputs },
  };
}
