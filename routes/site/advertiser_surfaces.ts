import type { Surface } from "../route_table.ts";
import type { AdvertiserParts } from "./advertiser_parts.ts";
import { accountSurface } from "./account/account_surface.tsx";
import { agentsSurface } from "./agents/agents_surface.tsx";
import { bidsSurface } from "./bids/bids_surface.tsx";
import { billingSurface } from "./billing/billing_surface.tsx";
import { connectSurface } from "./connect/connect_surface.tsx";
import { creativesSurface } from "./creatives/creatives_surface.tsx";
import { identitySurface } from "./identity/identity_surface.tsx";
import { invoicesSurface } from "./invoices/invoices_surface.tsx";
import { accountsSurface } from "./operator/accounts_surface.tsx";
import { daysSurface } from "./operator/days_surface.tsx";
import { auditSurface } from "./operator/audit_surface.tsx";
import { deskSurface } from "./operator/desk_surface.tsx";
import { holdSurface } from "./operator/hold_surface.tsx";
import { keysSurface } from "./operator/keys_surface.tsx";
import { houseAdsSurface } from "./operator/house_ads_surface.tsx";
import { jobsSurface } from "./operator/jobs_surface.tsx";
import { moneySurface } from "./operator/money_surface.tsx";
import { partnersSurface } from "./operator/partners_surface.tsx";
import { partnerSurface } from "./partner/partner_surface.tsx";
import { onboardingSurface } from "./onboarding/onboarding_surface.tsx";
import { reportsDeskSurface } from "./operator/reports_desk_surface.tsx";
import { reviewSurface } from "./operator/review_surface.tsx";
import { erasureLinkSurface } from "./privacy/erasure_link_surface.tsx";
import { privacySurface } from "./privacy/privacy_surface.tsx";
import { reportSurface } from "./report/report_surface.tsx";
import { reportsSurface } from "./reports/reports_surface.tsx";
import { emailSurface } from "./settings/email_surface.tsx";
import { settingsSurface } from "./settings/settings_surface.tsx";
import { unsubscribeSurface } from "./unsubscribe/unsubscribe_surface.tsx";

/** The pages on which advertisers decide: agents, company, person, cards. */
export function advertiserSurfaces(parts: AdvertiserParts): Surface[] {
  return [
    accountSurface(parts),
    settingsSurface(parts),
    emailSurface(parts),
    privacySurface(parts),
    erasureLinkSurface(parts),
    connectSurface(parts),
    agentsSurface(parts),
    onboardingSurface(parts),
    creativesSurface(parts),
    identitySurface(parts),
    bidsSurface(parts),
    billingSurface(parts),
    invoicesSurface(parts),
    reportsSurface(parts),
    deskSurface(parts),
    daysSurface(parts),
    accountsSurface(parts),
    auditSurface(parts),
    holdSurface(parts),
    keysSurface(parts),
    houseAdsSurface(parts),
    jobsSurface(parts),
    moneySurface(parts),
    partnersSurface(parts),
    partnerSurface(parts),
    reportSurface(parts),
    reviewSurface(parts),
    reportsDeskSurface(parts),
    unsubscribeSurface(parts),
  ];
}
