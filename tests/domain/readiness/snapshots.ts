import type { Auction } from "../../../domain/auction/auction.ts";
import type { Bid } from "../../../domain/bids/bid.ts";
import { DAY_MS } from "../../../domain/day.ts";
import { unmetClient } from "../../../tools/demo/unmet_client.ts";
import type { Grant } from "../../../domain/oauth/grant.ts";
import type { BidSnapshot } from "../../../domain/readiness/snapshot.ts";
import {
  approvedCreative,
  BID_DAY,
  BID_DAY_CLOSES_MS,
  BID_SCOPES,
  BID_SETTINGS,
  readyAccount,
} from "../../support/bidding_world.ts";
import { TEST_START_MS } from "../../support/clock.ts";

/** A grant that may bid. */
export const GRANT: Grant = {
  id: "grant_ada",
  accountId: "acc_ada",
  clientId: "https://agent.example/client.json",
  client: unmetClient("Agent"),
  scopes: BID_SCOPES,
  resources: ["agent"],
  mandate: {
    maxBidCents: 5_000,
    dailyCapCents: 8_000,
    validUntilMs: TEST_START_MS + DAY_MS,
  },
  lines: [{
    id: "line_ada",
    resources: ["agent"],
    begunAtMs: 0,
    refresh: null,
  }],
  refresh: null,
  createdAtMs: 0,
  lastUsedAtMs: null,
  revokedAtMs: null,
  revokedReason: null,
};

/** The open auction of the day. */
export const AUCTION: Auction = {
  day: BID_DAY,
  phase: "OPEN",
  openedAtMs: 0,
  closesAtMs: BID_DAY_CLOSES_MS,
  closedAtMs: null,
  settledAtMs: null,
};

/** A live bid of EUR 8. */
export const LIVE_BID: Bid = {
  id: "bid_ada",
  day: BID_DAY,
  accountId: "acc_ada",
  adId: "ad_ada",
  amountCents: 800,
  status: "active",
  placedAtMs: 0,
  paymentMethodId: "pm_ada",
  grantId: null,
};

/** A state on which a bid of EUR 10 stands, with what differs from it. */
export function snapshotOf(changes: Partial<BidSnapshot> = {}): BidSnapshot {
  return {
    nowMs: TEST_START_MS,
    settings: BID_SETTINGS,
    account: readyAccount("ada"),
    identityPending: false,
    grant: GRANT,
    usedCents: 0,
    wanted: {
      day: BID_DAY,
      adId: "ad_ada",
      amountCents: 1_000,
      paymentMethodId: null,
    },
    auction: AUCTION,
    liveBid: null,
    creative: approvedCreative("ada"),
    newestVersion: null,
    nearest: null,
    card: null,
    ...changes,
  };
}
