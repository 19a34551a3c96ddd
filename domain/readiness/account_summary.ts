import type { Account } from "../accounts/account.ts";
import { eligibilityReasons } from "../accounts/eligibility.ts";
import type { Creative } from "../creatives/creative.ts";
import { findNearest } from "../creatives/find_nearest.ts";
import { findNewestVersion } from "../creatives/find_newest_version.ts";
import { dayOf, isoTime } from "../day.ts";
import {
  type BearerGrant,
  type Grant,
  isToldOfBids,
  type Scope,
} from "../oauth/grant.ts";
import { firstPage } from "../pages.ts";
import type { Services } from "../ports.ts";
import { type EligibilityReason, refuse } from "../refusal.ts";
import { type FirstBid, firstBid } from "./first_bid.ts";
import type { BidSnapshot, WantedBid } from "./snapshot.ts";

/** How far an account has come; `new` before a paid win (contract §7.2). */
export type Tier = "new" | "standard" | "partner";

/** What a grant may know of its account (contract §7.2). */
export interface AccountSummary {
  user_id: string;
  company_name: string | null;
  country: string | null;
  tier: Tier | null;
  eligibility: {
    can_bid: boolean;
    reasons: readonly EligibilityReason[];
    /** Where the first reason is dealt with. */
    action_url?: string;
  };
  first_bid: FirstBid;
  mandate: {
    max_bid_cents: number;
    daily_cap_cents: number;
    valid_until: string;
  } | null;
  scopes: readonly Scope[];
}

/** What the query says about the bid it asks for. */
export type ReadinessQuery = Omit<WantedBid, "paymentMethodId">;

/**
 * The account of a grant with the readiness of a bid, in one read.
 *
 * @throws {Refused} `token_invalid` when the grant or its account is gone
 */
export async function readAccountSummary(
  services: Services,
  bearer: BearerGrant,
  query: ReadinessQuery,
): Promise<AccountSummary> {
  const snapshot = await readSnapshot(services, bearer, query);
  const { account, grant: { mandate, scopes } } = snapshot;
  const reasons = eligibilityReasons(account, services.settings);
  const actionUrl = firstPage(reasons);
  return {
    user_id: account.id,
    company_name: account.company?.name ?? null,
    country: account.company?.country ?? null,
    tier: tierOf(account),
    eligibility: {
      can_bid: reasons.length === 0,
      reasons,
      ...actionUrl !== undefined && { action_url: actionUrl },
    },
    first_bid: firstBid(snapshot),
    mandate: mandate && {
      max_bid_cents: mandate.maxBidCents,
      daily_cap_cents: mandate.dailyCapCents,
      valid_until: isoTime(mandate.validUntilMs),
    },
    scopes,
  };
}

async function readSnapshot(
  { store, clock, settings }: Services,
  bearer: BearerGrant,
  query: ReadinessQuery,
): Promise<BidSnapshot & { grant: Grant }> {
  const today = dayOf(clock.now());
  const { id, accountId, scopes, resources } = bearer;
  const day = query.day ?? today;
  // Who may not read creatives is not told of them.
  const mayLook = scopes.includes("creatives:read") &&
    settings.practice === undefined;
  const look = () => mayLook ? findNearest(store, accountId) : null;
  const isNamed = query.adId !== null;
  const reading = store.getMany([
    store.grants.ref(id),
    store.accounts.ref(accountId),
    store.identityChecks.ref(accountId),
    store.mandateUses.ref(id, today),
    store.auctions.ref(day),
    store.bids.ref(day, accountId),
    store.creatives.ref(accountId, query.adId ?? ""),
  ]);
  const [read, nearestOfAll] = await Promise.all([
    reading,
    isNamed ? null : look(),
  ]);
  const [grant, account, identity, use, auction, bid, creative] = read;
  if (grant === null || account === null) refuse({ code: "token_invalid" });
  const asked = query.day !== null;
  const isTold = isToldOfBids(scopes);
  const newestVersion = await findNewestVersion(store, creative);
  const { totalUse, ...terms } = grant;
  return {
    nowMs: clock.now(),
    settings,
    account: account satisfies Account,
    identityPending: identity?.status === "processing",
    grant: {
      ...terms,
      ...isTold && totalUse !== undefined && { totalUse },
      scopes,
      resources,
    },
    usedCents: isTold ? use?.usedCents ?? 0 : 0,
    wanted: { ...query, paymentMethodId: null },
    auction,
    liveBid: asked && isTold ? bid : null,
    creative,
    newestVersion,
    nearest: isNamed && needsAnother(creative, newestVersion)
      ? await look()
      : nearestOfAll,
    card: null,
  };
}

/** Whether nothing comes of the creative that was named. */
function needsAnother(
  creative: Creative | null,
  newestVersion: Creative | null,
): boolean {
  return creative === null ||
    creative.state === "archived" && newestVersion === null;
}

/** The account's tier; null until it is onboarded. */
export function tierOf(account: Account): Tier | null {
  if (account.company === null) return null;
  if (account.partner) return "partner";
  return account.paidWins > 0 ? "standard" : "new";
}
