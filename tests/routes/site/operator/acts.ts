/**
 * Every act that an operator has, by the API and on the desk, with the
 * line that it leaves: an act that is added is added here.
 *
 * @module
 */
import type { ActName } from "../../../../domain/audit/operator_act.ts";

/** An act: how it is ordered, and the line that it leaves. */
export interface Ordered {
  /** The path with its parameters filled in. */
  path: string;
  body?: Record<string, string | string[]>;
  act: ActName;
  subject: string | null;
  reason?: string;
  /** A page asks once before it is done. */
  isAsked?: true;
}

export const DAY = "2026-11-19";
const TODAY = "2026-11-20";
export const ACCOUNT = "acc_suspend";
export const REASON = "Why.";
const TURNED_DOWN = {
  policy_id: "deceptive",
  message: "The loaves are cold.",
  remedy: "",
};
const TOLD = "deceptive: The loaves are cold.";

/** What operators may decide about accounts, as their paths say it. */
export const DECISIONS = [
  "suspend",
  "lift_suspension",
  "lift_block",
  "lift_refusal",
  "approve_name",
  "refuse_name",
  "approve_vat",
  "decline_vat",
  "release_vat",
  "approve_partner",
  "refuse_partner",
  "end_partner",
] as const;

/** The name, VAT id or pitch that a decision is about, where it names one. */
function aboutOf(
  act: typeof DECISIONS[number],
): { about?: string; company_name?: string } {
  if (act === "approve_partner" || act === "refuse_partner") {
    return { about: PITCH };
  }
  if (act.endsWith("_name")) return { about: "Bakers" };
  if (act === "approve_vat") {
    return { about: vatIdOf(act), company_name: "Bakery" };
  }
  return act.endsWith("_vat") ? { about: vatIdOf(act) } : {};
}

/** What a partner says of itself. */
export const PITCH = "A newsletter for bakers";

/** A VAT id of each account's own. */
export function vatIdOf(act: typeof DECISIONS[number]): string {
  return `DE10000000${DECISIONS.indexOf(act)}`;
}

/** What is done about a house ad; it rests before it is removed. */
const HOUSE_ACTS = [
  ["later", "house_ad.move"],
  ["earlier", "house_ad.move"],
  ["wake", "house_ad.wake"],
  ["rest", "house_ad.rest"],
  ["remove", "house_ad.remove"],
] as const satisfies readonly (readonly [string, ActName])[];

const HOUSE_COPY = {
  headline: "This could be yours",
  description: "One advertisement a day, chosen by auction.",
};

/** Every act of the operator API, by method and pattern of its route. */
export const API_ACTS: Readonly<Record<string, Ordered>> = {
  ...Object.fromEntries(DECISIONS.map((act) => [
    `POST /accounts/:id/${act}`,
    {
      path: `accounts/acc_${act}/${act}`,
      body: { reason: REASON, ...aboutOf(act) },
      act: `account.${act}`,
      subject: `acc_${act}`,
      reason: REASON,
    },
  ])),
  "POST /archive/:number/retry": {
    path: "archive/SPOT-1/retry",
    act: "document.retry",
    subject: "SPOT-1",
  },
  "POST /auctions/:day/open": {
    path: `auctions/${TODAY}/open`,
    act: "auction.open",
    subject: TODAY,
  },
  "POST /auctions/:day/close": {
    path: `auctions/${TODAY}/close`,
    act: "auction.close",
    subject: TODAY,
  },
  "POST /auctions/:day/settle": {
    path: `auctions/${TODAY}/settle`,
    act: "auction.settle",
    subject: TODAY,
  },
  "POST /spotlights/:day/remove": {
    path: `spotlights/${DAY}/remove`,
    body: { reason: REASON },
    act: "spotlight.remove",
    subject: DAY,
    reason: REASON,
  },
  "POST /hold/release": {
    path: "hold/release",
    body: { acknowledge: [] },
    act: "store.release",
    subject: null,
  },
  "POST /spotlights/:day/refund": {
    path: `spotlights/${DAY}/refund`,
    body: { note: REASON },
    act: "spotlight.refund",
    subject: DAY,
    reason: REASON,
  },
  "POST /reconciliations/:day": {
    path: `reconciliations/${DAY}`,
    act: "books.compare",
    subject: DAY,
  },
  "POST /creatives/:id/approve": {
    path: "creatives/ad_approve/approve",
    act: "creative.approve",
    subject: "ad_approve",
  },
  "POST /creatives/:id/reject": {
    path: "creatives/ad_reject/reject",
    body: TURNED_DOWN,
    act: "creative.reject",
    subject: "ad_reject",
    reason: TOLD,
  },
  "POST /creatives/:id/withdraw_approval": {
    path: "creatives/ad_approve/withdraw_approval",
    body: TURNED_DOWN,
    act: "creative.withdraw",
    subject: "ad_approve",
    reason: TOLD,
  },
  "POST /ad_reports/:id/close": {
    path: "ad_reports/report_1/close",
    act: "report.close",
    subject: "report_1",
  },
  "POST /accounts/:id/look_at_dispute": {
    path: `accounts/${ACCOUNT}/look_at_dispute`,
    body: { about: "dp_1" },
    act: "dispute.look",
    subject: ACCOUNT,
  },
  "POST /house_ads": {
    path: "house_ads",
    body: HOUSE_COPY,
    act: "house_ad.make",
    subject: null,
  },
  ...Object.fromEntries(HOUSE_ACTS.map(([name, act]) => [
    `POST /house_ads/:id/${name}`,
    { path: `house_ads/house_1/${name}`, act, subject: "house_1" },
  ])),
  "POST /jobs/:job/run": {
    path: "jobs/sweep/run",
    act: "job.run",
    subject: "sweep",
  },
  "POST /keys/:id/end": {
    path: "keys/opk_1/end",
    act: "key.end",
    subject: "opk_1",
  },
  "GET /backup": { path: "backup", act: "store.back_up", subject: null },
  "POST /reindex": { path: "reindex", act: "store.reindex", subject: null },
  "POST /webhook_events/:id/retry": {
    path: "webhook_events/evt_1/retry",
    act: "event.retry",
    subject: "evt_1",
  },
};

/** Every act of the desk, by the pattern of its route. */
export const DESK_ACTS: Readonly<Record<string, Ordered>> = {
  ...Object.fromEntries(DECISIONS.map((act) => [
    `POST /operator/accounts/:id/${act}`,
    {
      path: `/operator/accounts/acc_${act}/${act}`,
      body: { reason: REASON, ...aboutOf(act) },
      isAsked: true,
      act: `account.${act}`,
      subject: `acc_${act}`,
      reason: REASON,
    },
  ])),
  "POST /operator/accounts/:id/look_at_dispute": {
    path: `/operator/accounts/${ACCOUNT}/look_at_dispute`,
    body: { about: "dp_1" },
    isAsked: true,
    act: "dispute.look",
    subject: ACCOUNT,
  },
  "POST /operator/days/:day/open": {
    path: `/operator/days/${TODAY}/open`,
    isAsked: true,
    act: "auction.open",
    subject: TODAY,
  },
  "POST /operator/days/:day/compare": {
    path: `/operator/days/${DAY}/compare`,
    isAsked: true,
    act: "books.compare",
    subject: DAY,
  },
  "POST /operator/days/:day/close": {
    path: `/operator/days/${TODAY}/close`,
    isAsked: true,
    act: "auction.close",
    subject: TODAY,
  },
  "POST /operator/days/:day/settle": {
    path: `/operator/days/${TODAY}/settle`,
    isAsked: true,
    act: "auction.settle",
    subject: TODAY,
  },
  "POST /operator/days/:day/remove": {
    path: `/operator/days/${DAY}/remove`,
    body: { reason: REASON },
    isAsked: true,
    act: "spotlight.remove",
    subject: DAY,
    reason: REASON,
  },
  "POST /operator/days/:day/refund": {
    path: `/operator/days/${DAY}/refund`,
    body: { reason: REASON },
    isAsked: true,
    act: "spotlight.refund",
    subject: DAY,
    reason: REASON,
  },
  "POST /operator/keys": {
    path: "/operator/keys",
    body: { name: "night shift", scope: "act", days: "30" },
    isAsked: true,
    act: "key.make",
    subject: null,
  },
  "POST /operator/keys/:id/end": {
    path: "/operator/keys/opk_1/end",
    isAsked: true,
    act: "key.end",
    subject: "opk_1",
  },
  "POST /operator/hold": {
    path: "/operator/hold",
    act: "store.release",
    subject: null,
  },
  "POST /operator/house-ads/make": {
    path: "/operator/house-ads/make",
    body: HOUSE_COPY,
    isAsked: true,
    act: "house_ad.make",
    subject: null,
  },
  ...Object.fromEntries(HOUSE_ACTS.map(([name, act]) => [
    `POST /operator/house-ads/:id/${name}`,
    {
      path: `/operator/house-ads/house_1/${name}`,
      isAsked: true,
      act,
      subject: "house_1",
    },
  ])),
  "POST /operator/jobs/:job/run": {
    path: "/operator/jobs/rotate-click-salts/run",
    isAsked: true,
    act: "job.run",
    subject: "rotate click salts",
  },
  "POST /operator/money/events/:id/retry": {
    path: "/operator/money/events/evt_1/retry",
    isAsked: true,
    act: "event.retry",
    subject: "evt_1",
  },
  "POST /operator/money/archive": {
    path: "/operator/money/archive",
    body: { number: "SPOT-1" },
    isAsked: true,
    act: "document.retry",
    subject: "SPOT-1",
  },
  "POST /operator/reports/:day/close": {
    path: `/operator/reports/${DAY}/close`,
    body: { report: "report_1" },
    isAsked: true,
    act: "report.close",
    subject: DAY,
  },
  "POST /operator/review/:id/approve": {
    path: "/operator/review/ad_approve/approve",
    isAsked: true,
    act: "creative.approve",
    subject: "ad_approve",
  },
  "POST /operator/review/:id/reject": {
    path: "/operator/review/ad_reject/reject",
    body: TURNED_DOWN,
    isAsked: true,
    act: "creative.reject",
    subject: "ad_reject",
    reason: TOLD,
  },
  "POST /operator/review/:id/withdraw": {
    path: "/operator/review/ad_approve/withdraw",
    body: TURNED_DOWN,
    isAsked: true,
    act: "creative.withdraw",
    subject: "ad_approve",
    reason: TOLD,
  },
};

/** Acts that are to be had in one way alone, and why. */
export const ONE_WAY_ALONE: Partial<Record<ActName, string>> = {
  "key.make": "A key that was stolen must not make another.",
  "store.back_up": "A browser's session must not take the whole store.",
  "store.reindex": "It runs as long as the store is large, and tells of it.",
};

/** Posts that do nothing: they lead back to a form through another sign-in. */
export const NO_ACTS = ["POST /operator/hold/again"];

/** Acts that leave a line of their own beside a release's, by both ways. */
export const BESIDE: readonly ActName[] = ["account.erase_again"];
