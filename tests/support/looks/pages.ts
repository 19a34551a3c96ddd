/**
 * Every page and state that is looked at, one line each: its name is that of its
 * kept sheet, which `deno task looks --filter NAME` writes.
 *
 * @module
 */
import type { Page } from "playwright-core";
import type { Person } from "./looks_world.ts";
import { LONG_DAY } from "./further_data.ts";
import { ADS, CONSENT } from "./further_people.ts";

/** A page as somebody sees it. */
export interface Look {
  name: string;
  as: Person;
  path: string;
  /** What they do there first. */
  act?: (page: Page) => Promise<unknown>;
  /** What the address answers; 200 unless told. */
  status?: number;
}

type Row = readonly [name: string, path: string, act?: Look["act"]];

function seenBy(as: Person, ...rows: readonly Row[]): Look[] {
  return rows.map(([name, path, act]) => ({
    name,
    as,
    path,
    ...act && { act },
  }));
}

/** Sends a form as it is: what the browser itself would refuse, too. */
const press = (name: string) => async (page: Page) => {
  await page.evaluate(
    "for (const form of document.forms) form.noValidate = true",
  );
  await page.getByRole("button", { name }).click();
  await page.getByRole("alert").first().waitFor();
};
const unfold = (text: string) => (page: Page) =>
  page.getByText(text).first().click();
/** Follows the first link that is called so, which leads to such a page. */
const follow = (name: string, to: string) => async (page: Page) => {
  await page.getByRole("link", { name }).first().click();
  await page.waitForURL(to);
};
/** Presses a button, which leads to such a page. */
const goBy = (name: string, to: string) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
  await page.waitForURL(to);
};
const inTurn =
  (...acts: ((page: Page) => Promise<unknown>)[]) => async (page: Page) => {
    for (const act of acts) await act(page);
  };
const fill = (label: string, text: string) => (page: Page) =>
  page.getByLabel(label).first().fill(text);

const MARA = "mara@nordlicht-raeder.example.com";

/** What everybody sees. */
export const PUBLIC_LOOKS: readonly Look[] = [
  ...seenBy(
    "visitor",
    ["day_without_spotlight", "/spotlights/2020-01-01"],
    ["not_found", "/nowhere"],
    ["report_of_nothing", "/report/2020-01-01"],
  ).map((look) => ({ ...look, status: 404 })),
  ...seenBy(
    "visitor",
    ["home", "/"],
    ["home_signed_out", "/?done=signed-out"],
    ["archive", "/spotlights"],
    ["archive_found", "/spotlights?q=bike"],
    ["archive_nothing_found", "/spotlights?q=zzzz"],
    ["day", "/spotlights/2026-11-17"],
    ["day_long", `/spotlights/${LONG_DAY}`],
    ["sandbox", "/spotlights/sandbox"],
    ["report_form", `/report/${LONG_DAY}`],
    ["report_refused", `/report/${LONG_DAY}`, press("Send the report")],
    ["report_thanks", "/report/thanks?reference=report_00000000000000000001"],
    ["auction", "/how-the-auction-works"],
    ["advertise", "/advertise"],
    ["developers", "/developers"],
    ["developers_topic", "/developers/rate-limits"],
    ["developers_found", "/developers?q=raise+a+bid"],
    ["hosts", "/hosts"],
    ["terms", "/terms"],
    ["privacy", "/privacy"],
    ["imprint", "/imprint"],
    ["sign_in", "/sign-in"],
    ["sign_in_no_code", "/sign-in/verify"],
    [
      "sign_in_code",
      "/sign-in",
      inTurn(
        fill("E-mail address", "nina@kaffee-nord.example.com"),
        goBy("Send me a code", "**/sign-in/verify"),
      ),
    ],
    ["referred", "/r/k3qd9vtzmwpx"],
    ["problem", "/problems/rate-limited"],
    ["components", "/dev/components"],
  ),
];

/** What advertisers see. */
export const ADVERTISER_LOOKS: readonly Look[] = [
  ...seenBy(
    "newcomer",
    ["dashboard_new", "/account"],
    ["bids_new", "/bids"],
    ["creatives_none", "/creatives"],
    ["creatives_write", "/creatives/new"],
    ["creatives_refused", "/creatives/new", press("Save draft")],
    ["reports_none", "/reports"],
    ["billing_new", "/billing"],
    ["invoices_none", "/invoices"],
    ["agents_none", "/agents"],
    ["onboarding_new", "/onboarding"],
    ["onboarding_refused", "/onboarding", press("Save company")],
    ["identity_new", "/identity"],
    ["settings_new", "/settings"],
    ["settings_email", "/settings/email"],
    ["settings_everywhere", "/settings/sign-out-everywhere"],
    ["settings_privacy", "/settings/privacy"],
    ["partner_new", "/partner"],
    ["partner_refused", "/partner", press("Ask to be a partner")],
    ["settings_erasure", "/settings/privacy/erasure"],
  ),
  ...seenBy(
    "midway",
    ["dashboard_midway", "/account"],
    ["bids_midway", "/bids"],
    ["onboarding_saved", "/onboarding?done=saved"],
    ["billing_saved", "/billing?done=saved"],
    ["creative_draft", `/creatives/${ADS.draft}?done=saved`],
    ["creative_rejected", `/creatives/${ADS.rejected}`],
    ["creative_edit", `/creatives/${ADS.draft}/edit`],
    ["identity_next", "/identity?done=card"],
    ["hosted_check", "/identity", goBy("Verify your identity", "**/hosted/**")],
    ["identity_begun", "/identity"],
  ),
  ...seenBy(
    "partner",
    ["partner", "/partner"],
    [
      "partner_payout",
      "/partner",
      async (page) => {
        await page.getByRole("button", { name: "Ask for a payout" }).click();
        await page.getByRole("heading", { name: "Ask for a payout?" })
          .waitFor();
      },
    ],
  ),
  ...seenBy(
    "advertiser",
    ["dashboard", "/account"],
    ["bids", "/bids"],
    ["creatives", "/creatives"],
    ["reports", "/reports"],
    ["report_day", "/reports/2026-11-18"],
    ["consent", `/connect/${CONSENT}`],
    [
      "bids_review",
      "/bids",
      inTurn(fill("Amount in euros", "120"), goBy("Review the", "**/review")),
    ],
    ["bids_refused", "/bids", press("Review the raise")],
    ["creative_submitted", "/creatives", follow("A light for", "**/ad_*")],
    ["creative", "/creatives", follow("Kindersitz?", "**/ad_*")],
    [
      "creative_version",
      "/creatives",
      inTurn(
        follow("Kindersitz?", "**/ad_*"),
        follow("Make a new version", "**/edit"),
      ),
    ],
    ["agent_limits", "/agents", follow("Change what it may do", "**/agents/*")],
    ["agent_webhook", "/agents", follow("Webhook", "**/webhook")],
    ["settings", "/settings"],
    ["billing", "/billing", unfold("Remove ")],
    ["invoices", "/invoices"],
    ["agents", "/agents", unfold("Revoke…")],
    ["onboarding", "/onboarding"],
    ["identity", "/identity"],
    ["hosted_card", "/billing", goBy("Save another card", "**/hosted/**")],
  ),
  ...seenBy(
    "long",
    ["dashboard_long", "/account"],
    ["bids_long", "/bids"],
    ["report_day_long", `/reports/${LONG_DAY}`],
    ["creatives_long", "/creatives"],
    ["agents_long", "/agents"],
    ["invoices_long", "/invoices"],
    ["invoice", "/invoices/SPOT-1001"],
    ["invoice_cancelled", "/invoices/SPOT-1005"],
  ),
  ...seenBy("suspended", ["dashboard_suspended", "/account"]),
  ...seenBy(
    "refused",
    ["dashboard_refused", "/account"],
    ["billing_refused", "/billing"],
  ),
  ...seenBy("disputed", ["dashboard_disputed", "/account"]),
];

/** What operators see. */
export const OPERATOR_LOOKS: readonly Look[] = seenBy(
  "operator",
  ["desk", "/operator"],
  ["desk_review", "/operator/review"],
  ["desk_ad", "/operator/review", follow("A light for", "**/review/ad_*")],
  [
    "desk_ad_approve",
    "/operator/review",
    inTurn(
      follow("A light for", "**/review/ad_*"),
      goBy("Approve", "**/approve"),
    ),
  ],
  ["desk_reports", "/operator/reports"],
  ["desk_partners", "/operator/partners"],
  ["desk_days", "/operator/days"],
  ["desk_day_open", "/operator/days/2026-11-20"],
  ["desk_day_settled", "/operator/days/2026-11-18"],
  ["desk_accounts", "/operator/accounts"],
  ["desk_account", `/operator/accounts?find=${MARA}`],
  ["desk_audit", "/operator/audit"],
  ["desk_keys", "/operator/keys"],
  ["desk_keys_refused", "/operator/keys", press("Make the key")],
  ["desk_money", "/operator/money", unfold("Every day that was compared")],
  ["desk_jobs", "/operator/jobs"],
  ["desk_house_ads", "/operator/house-ads"],
  ["desk_books", "/operator/money/entries"],
  ["desk_invoices", "/operator/money/invoices"],
  ["desk_hold", "/operator/hold"],
  ["desk_settings", "/settings"],
);
