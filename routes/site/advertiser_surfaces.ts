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
import { deskSurface } from "./operator/desk_surface.tsx";
import { holdSurface } from "./operator/hold_surface.tsx";
import { moneySurface } from "./operator/money_surface.tsx";
import { onboardingSurface } from "./onboarding/onboarding_surface.tsx";
import { reviewSurface } from "./operator/review_surface.tsx";
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
    accountsSurface(parts),
    holdSurface(parts),
    moneySurface(parts),
    reportSurface(parts),
    reviewSurface(parts),
    unsubscribeSurface(parts),
  ];
}
