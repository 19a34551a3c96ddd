/**
 * What the agent API says, member by member as in contract §7.
 *
 * @module
 */
import type { AccountSummary } from "../../domain/readiness/account_summary.ts";
import type { OwnBid } from "../../domain/bids/list_my_bids.ts";
import { type Day, isoTime } from "../../domain/day.ts";
import type {
  Invoice,
  InvoiceCreditNote,
} from "../../domain/invoices/invoice.ts";
import { invoiceStatus } from "../../domain/invoices/invoice_status.ts";
import type { FirstBid } from "../../domain/readiness/first_bid.ts";
import type { Settings } from "../../domain/ports.ts";
import type { NextAction } from "../../domain/readiness/next_action.ts";

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
    ...action.tool !== undefined && { tool: action.tool },
    ...action.arguments !== undefined && { arguments: action.arguments },
    ...action.requiredScopes !== undefined &&
      { required_scopes: action.requiredScopes },
    ...action.requiredInputs !== undefined &&
      { required_inputs: action.requiredInputs },
  };
}

/** A credit note beside its invoice. */
export interface WireNote {
  number: string;
  total_cents: number;
  tax_cents: number;
  created_at: string;
  /** Where its document is read, with the same token. */
  pdf: string;
}

/** An invoice as the agent API shows it. */
export interface WireInvoice {
  number: string;
  day: Day;
  status: string;
  total_cents: number;
  tax_cents: number;
  currency: "EUR";
  finalized_at: string;
  paid_at: string | null;
  credit_notes: WireNote[];
  pdf: string;
}

/** An invoice as it goes out, member by member. */
export function wireInvoice(
  invoice: Invoice,
  authUrl: string,
): WireInvoice {
  const own = `${authUrl}/v1/agent/invoices/${
    encodeURIComponent(invoice.number)
  }`;
  return {
    number: invoice.number,
    day: invoice.day,
    status: invoiceStatus(invoice),
    total_cents: invoice.totalCents,
    tax_cents: invoice.taxCents,
    currency: "EUR",
    finalized_at: isoTime(invoice.finalizedAtMs),
    paid_at: invoice.paidAtMs === null ? null : isoTime(invoice.paidAtMs),
    credit_notes: invoice.creditNotes.map((note) => wireNote(note, own)),
    pdf: `${own}/pdf`,
  };
}

function wireNote(
  { number, totalCents, taxCents, createdAtMs }: InvoiceCreditNote,
  invoiceUrl: string,
): WireNote {
  return {
    number,
    total_cents: totalCents,
    tax_cents: taxCents,
    created_at: isoTime(createdAtMs),
    pdf: `${invoiceUrl}/credit_notes/${encodeURIComponent(number)}/pdf`,
  };
}
