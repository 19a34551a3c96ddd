import type { ShownWindow } from "../../../domain/auction/auction.ts";
import { readShownWindow } from "../../../domain/auction/read_shown_windows.ts";
import type { Account } from "../../../domain/accounts/account.ts";
import {
  eligibilityReasons,
  hasOpenDispute,
} from "../../../domain/accounts/eligibility.ts";
import { brandName } from "../../../domain/cards/brand_name.ts";
import { isRefused } from "../../../domain/cards/card.ts";
import { readCards } from "../../../domain/cards/change_cards.ts";
import type { Dispute } from "../../../domain/disputes/dispute.ts";
import { listGrants } from "../../../domain/oauth/list_grants.ts";
import type { Services } from "../../../domain/ports.ts";
import { readAll } from "../../../domain/read_all.ts";
import type { EligibilityReason } from "../../../domain/refusal.ts";
import {
  listReports,
  type ReportLine,
} from "../../../domain/reports/read_reports.ts";
import { reportRange } from "../../../domain/reports/won_days.ts";
import {
  type AdsProgress,
  readAdsProgress,
} from "../first_steps/ads_progress.ts";
import { agentsView, type AgentView } from "../agents/agents_view.ts";
import { readTonight, type Tonight } from "../bids/bids_view.ts";

/** Disputes that are named; of more there is said how many. */
const DISPUTES_NAMED_MAX = 3;

/** A card that was refused when a bid won. */
export interface RefusedCard {
  /** Visa ending in 4242. */
  name: string;
  atMs: number;
}

/** A day that was won, and when it was on show. */
export interface LastWon {
  report: ReportLine;
  shown: ShownWindow;
}

/** What the dashboard shows. */
export interface Dashboard {
  nowMs: number;
  account: Account;
  /** What keeps the account from bidding, in the order it is dealt with. */
  reasons: readonly EligibilityReason[];
  /** The cards that were refused, the latest first. */
  refused: readonly RefusedCard[];
  /** The open disputes that block it, as far as they are known by name. */
  disputes: readonly Dispute[];
  ads: AdsProgress;
  tonight: Tonight;
  /** The last day that was won within 90 days; null for none. */
  lastWon: LastWon | null;
  /** The agents that are connected, the newest first. */
  agents: readonly AgentView[];
}

/** Reads what an advertiser wants to know first. */
export async function readDashboard(
  services: Services,
  account: Account,
): Promise<Dashboard> {
  const nowMs = services.clock.now();
  const { id: accountId } = account;
  const [{ cards }, disputes, ads, tonight, [lastWon], grants] = await Promise
    .all([
      readCards(services, accountId),
      readOpenDisputes(services, account),
      readAdsProgress(services.store, accountId),
      readTonight(services, account),
      listReports(services, {
        accountId,
        ...reportRange({}, nowMs),
        limit: 1,
        before: null,
      }),
      listGrants(services, { accountId }),
    ]);
  return {
    nowMs,
    account,
    reasons: eligibilityReasons(account, services.settings),
    refused: cards.filter(isRefused)
      .map(({ brand, last4, refusedAtMs = 0 }) => ({
        name: `${brandName(brand)} ending in ${last4}`,
        atMs: refusedAtMs,
      }))
      .toSorted((a, b) => b.atMs - a.atMs),
    disputes,
    ads,
    tonight,
    lastWon: lastWon === undefined ? null : {
      report: lastWon,
      shown: await readShownWindow(services, lastWon.day),
    },
    agents: agentsView(grants, []).connected,
  };
}

async function readOpenDisputes(
  { store }: Services,
  account: Account,
): Promise<Dispute[]> {
  if (!hasOpenDispute(account)) return [];
  const { blockingDisputes = [], lostDisputes = [] } = account;
  const ids = blockingDisputes.filter((id) => !lostDisputes.includes(id))
    .slice(0, DISPUTES_NAMED_MAX);
  const found = await readAll(store, ids.map((id) => store.disputes.ref(id)));
  return found.filter((dispute) => dispute !== null);
}
