import type { Account } from "../accounts/account.ts";
import { eligibilityReasons } from "../accounts/eligibility.ts";
import { dayOf } from "../day.ts";
import type { Grant, Mandate, Scope } from "../oauth/grant.ts";
import { pageOf } from "../pages.ts";
import type { Services } from "../ports.ts";
import { type EligibilityReason, refuse } from "../refusal.ts";
import { type FirstBid, firstBid } from "./first_bid.ts";
import type { BidSnapshot, WantedBid } from "./snapshot.ts";

/** How far an account has come; `new` before a paid win (contract §7.2). */
export type Tier = "new" | "standard" | "partner";

/** What a grant may know of its account: no e-mail, VAT id or card. */
export interface AccountSummary {
  userId: string;
  companyName: string | null;
  country: string | null;
  tier: Tier | null;
  eligibility: {
    canBid: boolean;
    reasons: readonly EligibilityReason[];
    /** Where the first reason is dealt with; null when there is none. */
    actionUrl: string | null;
  };
  firstBid: FirstBid;
  mandate: Mandate | null;
  scopes: readonly Scope[];
}

/** What the query says about the bid it asks for. */
export type ReadinessQuery = Omit<WantedBid, "paymentMethodId">;

/**
 * The account of a grant with the readiness of a bid, in one read.
 *
 * @throws {Refused} `token_invalid` when the account is gone
 */
export async function readAccountSummary(
  services: Services,
  grant: Grant,
  query: ReadinessQuery,
): Promise<AccountSummary> {
  const snapshot = await readSnapshot(services, grant, query);
  const { account } = snapshot;
  const reasons = eligibilityReasons(account, services.settings);
  const [first] = reasons;
  return {
    userId: account.id,
    companyName: account.company?.name ?? null,
    country: account.company?.country ?? null,
    tier: tierOf(account),
    eligibility: {
      canBid: reasons.length === 0,
      reasons,
      actionUrl: first === undefined ? null : pageOf(first),
    },
    firstBid: firstBid(snapshot),
    mandate: grant.mandate,
    scopes: grant.scopes,
  };
}

async function readSnapshot(
  { store, clock, settings }: Services,
  grant: Grant,
  query: ReadinessQuery,
): Promise<BidSnapshot> {
  const today = dayOf(clock.now());
  const { accountId } = grant;
  const day = query.day ?? today;
  const [account, use, auction, bid, creative] = await store.getMany([
    store.accounts.ref(accountId),
    store.mandateUses.ref(grant.id, today),
    store.auctions.ref(day),
    store.bids.ref(day, accountId),
    store.creatives.ref(accountId, query.adId ?? ""),
  ]);
  if (account === null) refuse({ code: "token_invalid" });
  const asked = query.day !== null;
  return {
    nowMs: clock.now(),
    settings,
    account: account satisfies Account,
    grant,
    usedCents: use?.usedCents ?? 0,
    wanted: { ...query, paymentMethodId: null },
    auction: asked ? auction : null,
    liveBid: asked ? bid : null,
    creative,
    card: null,
  };
}

/** The account's tier; null until it is onboarded. */
export function tierOf(account: Account): Tier | null {
  if (account.company === null) return null;
  if (account.partner) return "partner";
  return account.paidWins > 0 ? "standard" : "new";
}
