import type { z } from "zod";
import { isoTime } from "../../domain/day.ts";
import { newestOf } from "../../domain/newest_first.ts";
import { LINKS_MAX, PAYOUT_MIN_CENTS } from "../../domain/partners/limits.ts";
import { payoutRecord } from "../../domain/partners/payout_record.ts";
import {
  type MonthFigures,
  readBalance,
  readMonths,
} from "../../domain/partners/read_figures.ts";
import type { ReferralLink } from "../../domain/partners/referral_link.ts";
import { requestPayout } from "../../domain/partners/request_payout.ts";
import { listPage } from "../http/list_query.ts";
import {
  MADE_POSITIONS,
  MONTH_POSITIONS,
  PAYOUT_POSITIONS,
} from "../http/positions.ts";
import { CHANGES } from "../mcp/effects.ts";
import type { Answer } from "../shapes/operation.ts";
import type { affiliateMonth, referralLink } from "../shapes/records.ts";
import { type AgentOperation, change, reading } from "./operation.ts";
import { settingCallback } from "./setting_callback.ts";

const ASKED_FOR: Answer = {
  description: "The payout, which is sent within minutes",
  content: { "application/json": "Payout" },
};

/** What a partner reads and asks for (contract §7.16). */
export const AFFILIATE_OPERATIONS: readonly AgentOperation[] = [
  reading({
    at: "GET /affiliate/stats",
    scope: "affiliate:read",
    id: "readAffiliateStats",
    summary: "Read your partner figures, month by month",
    docs: "`{balance, items, next_cursor}`: the [partner](#partners)'s " +
      "balance and the months that are over, newest first.",
    tool: "get_affiliate_stats",
    title: "Partner figures",
    description: "Reads what the partner can be paid, and for each month " +
      "that is over its sign-ups and commission, newest first. Commission is " +
      "told as totals of three invoices or more, 30 days after the month.",
    schema: "AffiliateStats",
    action: "Cannot read the partner figures",
    positions: MONTH_POSITIONS.shape,
    async read(services, { grant: { accountId }, page }) {
      const { payableCents, requestedCents, paidCents } = await readBalance(
        services,
        accountId,
      );
      const months = await listPage(MONTH_POSITIONS, page, {
        list: ({ limit, before }) => {
          const part = { limit, before: before?.month ?? null };
          return readMonths(services, accountId, part);
        },
        placeOf: (month) => month,
        wire: monthRecord,
      });
      return {
        balance: {
          payable_cents: payableCents,
          requested_cents: requestedCents,
          paid_cents: paidCents,
          minimum_payout_cents: PAYOUT_MIN_CENTS,
          currency: "EUR",
        },
        ...months,
      };
    },
  }),
  reading({
    at: "GET /affiliate/links",
    scope: "affiliate:read",
    id: "listReferralLinks",
    summary: "List your referral links",
    docs: "`{items, next_cursor}`: your referral links, newest first.",
    tool: "list_referral_links",
    title: "Referral links",
    description: "Lists the partner's referral links, newest first: give " +
      "their url to those you recommend Spotlight to.",
    schema: "ReferralLinkList",
    action: "Cannot list the referral links",
    positions: MADE_POSITIONS.shape,
    read: ({ store, settings }, { grant: { accountId }, page }) =>
      listPage(MADE_POSITIONS, page, {
        list: async (part) => {
          const limit = LINKS_MAX;
          const all = await store.listReferralLinks(accountId, { limit });
          return newestOf(
            all.map((each) => ({ ...each, id: each.code })),
            part,
          );
        },
        placeOf: (link) => link,
        wire: (link) => linkRecord(link, settings.baseUrl),
      }),
  }),
  reading({
    at: "GET /affiliate/payouts",
    scope: "affiliate:read",
    id: "listPayouts",
    summary: "List your payouts",
    docs: "`{items, next_cursor}`: your payouts, newest first.",
    tool: "list_payouts",
    title: "Payouts",
    description: "Lists the partner's payouts, newest first.",
    schema: "PayoutList",
    action: "Cannot list the payouts",
    positions: PAYOUT_POSITIONS.shape,
    read: ({ store }, { grant: { accountId }, page }) =>
      listPage(PAYOUT_POSITIONS, page, {
        list: (part) =>
          store.listPayouts(accountId, { ...part, reverse: true }),
        placeOf: (payout) => payout,
        wire: payoutRecord,
      }),
  }),
  change({
    at: "POST /affiliate/payouts",
    scope: "affiliate:write",
    id: "requestPayout",
    summary: "Ask for a payout of all that is payable",
    docs: "A [payout](#partners) of all that is payable: 201 and the payout.",
    tool: "request_payout",
    title: "Ask for a payout",
    description: "Asks for all commission that is payable to be transferred " +
      "to the partner's own account at the payment processor. EUR 50 at " +
      "least, one request at a time. Ask the user first.",
    effects: { ...CHANGES, idempotentHint: false },
    key: "required",
    schema: "Payout",
    answers: { 201: ASKED_FOR },
    change: (services, { grant, binding }) =>
      requestPayout(services, {
        partnerId: grant.accountId,
        by: { grant },
        binding,
      }),
  }),
  settingCallback({
    at: "PUT /affiliate/callback",
    scope: "affiliate:write",
    id: "setAffiliateCallback",
    summary: "Set where this connection is told of referrals",
    docs: "Sets the [callback](#signed-messages) of this connection, as " +
      "`PUT /events/callback` does; `secret` is said once, when it is made.",
    tool: "set_affiliate_callback",
    title: "Set the callback for referrals",
    description: "Has events of the partner sent to a public https address " +
      "as signed messages (Standard Webhooks), or, with url null, no more. A " +
      "connection has one callback: set_event_callback sets the same. The " +
      "secret that signs is said once: keep it.",
  }),
];

function monthRecord(
  { month, signUps, commissionCents, fromMonth, reportedIn }: MonthFigures,
): z.infer<typeof affiliateMonth> {
  return {
    month,
    sign_ups: signUps,
    status: reportedIn === null ? "pending" : "reported",
    commission_cents: commissionCents,
    commission_since: fromMonth,
    reported_in: reportedIn,
  };
}

function linkRecord(
  { code, name, state, createdAtMs }: ReferralLink,
  baseUrl: string,
): z.infer<typeof referralLink> {
  return {
    code,
    url: `${baseUrl}/r/${code}`,
    name,
    state,
    created_at: isoTime(createdAtMs),
  };
}
