import { isSuspended } from "../../../domain/accounts/eligibility.ts";
import type { Account } from "../../../domain/accounts/account.ts";
import { LINKS_MAX } from "../../../domain/partners/limits.ts";
import type { Partner } from "../../../domain/partners/partner.ts";
import type {
  PartnerBalance,
  Statement,
} from "../../../domain/partners/partner_balance.ts";
import type { Payout } from "../../../domain/partners/payout.ts";
import {
  type MonthFigures,
  readBalance,
  readMonths,
} from "../../../domain/partners/read_figures.ts";
import type { ReferralLink } from "../../../domain/partners/referral_link.ts";
import type { Services } from "../../../domain/ports.ts";

/** Months and payouts that the page shows; the API has all. */
const SHOWN_MAX = 24;

/** What the page of a partner shows. */
export interface PartnerView {
  baseUrl: string;
  /** Null for who never asked to be one. */
  partner: Partner | null;
  /** Whether its links count. */
  isVerified: boolean;
  /** Whether it is paid nothing until an operator lifts a suspension. */
  isSuspended: boolean;
  links: readonly ReferralLink[];
  months: readonly MonthFigures[];
  balance: PartnerBalance;
  /** Newest first. */
  payouts: readonly Payout[];
  /** Newest first. */
  statements: readonly Statement[];
}

/** Reads what the page of a partner shows. */
export async function partnerView(
  services: Pick<Services, "store" | "clock" | "settings">,
  account: Account,
): Promise<PartnerView> {
  const { id: partnerId, partner: isVerified } = account;
  const { store, settings } = services;
  const limit = SHOWN_MAX;
  const [partner, links, months, balance, payouts, statements] = await Promise
    .all([
      store.partners.find(partnerId),
      store.listReferralLinks(partnerId, { limit: LINKS_MAX }),
      readMonths(services, partnerId, { limit, before: null }),
      readBalance(services, partnerId),
      store.listPayouts(partnerId, { limit, reverse: true }),
      store.listStatements(partnerId, { limit, reverse: true }),
    ]);
  const { baseUrl } = settings;
  return {
    baseUrl,
    partner,
    isVerified,
    isSuspended: isSuspended(account),
    links,
    months,
    balance,
    payouts,
    statements,
  };
}
