import {
  type Auction,
  type AuctionHours,
  closesAtMs,
  opensAtMs,
} from "../../domain/auction/auction.ts";
import { rankCandidates } from "../../domain/settlement/close_auction.ts";
import type { HouseAd } from "../../domain/creatives/creative.ts";
import type {
  Candidate,
  Settlement,
} from "../../domain/settlement/settlement.ts";
import type { BidStatus } from "../../domain/bids/bid.ts";
import { type Day, DAY_MS, startOfDayMs } from "../../domain/day.ts";
import type { Invoice } from "../../domain/invoices/invoice.ts";
import { invariant } from "../../domain/invariant.ts";
import type { LedgerEntry } from "../../domain/ledger/entry.ts";
import type { Spotlight } from "../../domain/spotlights/spotlight.ts";
import type { DemoAccount } from "./accounts.ts";
import type { DayPlan } from "./calendar.ts";
import { chanceOf } from "./chance.ts";
import { type DemoBid, demoBids } from "./day_bids.ts";
import { demoHouseAds } from "./house_ads.ts";

const REMOVED_AFTER_MS = 6 * 3_600_000;
const REMOVAL_REASON = "The advertiser withdrew the product it advertised";

/** An invoice of a past day, as it is written down. */
export interface PastInvoice {
  /** As settlement leaves it, but for what became of its money. */
  invoice: Invoice;
  /** The payment that paid it; null for one that was voided. */
  paymentId: string | null;
}

/** Everything a settled day leaves in the store. */
export interface DemoDay {
  auction: Auction;
  settlement: Settlement;
  spotlight: Spotlight;
  /** Make-believe money; null for a day nobody paid for. */
  ledgerEntry: LedgerEntry | null;
  /** Those of a processor that was asked to make them; none without one. */
  invoices: readonly PastInvoice[];
  bids: readonly DemoBid[];
}

/** What a past day is made from. */
export interface DaySeed {
  seed: string;
  today: Day;
  hours: AuctionHours;
  accounts: readonly DemoAccount[];
  baseUrl: string;
}

/** A past day as opening, bidding, closing and settlement would leave it. */
export function demoDay(input: DaySeed, plan: DayPlan): DemoDay {
  const { seed, hours, accounts } = input;
  const { day } = plan;
  const chance = chanceOf(`${seed}|day|${day}`);
  const closedAtMs = closesAtMs(day, hours) + chance.integer(40, 1_900);
  const settledAtMs = closedAtMs + chance.integer(1_500, 42_000);
  const auction: Auction = {
    day,
    phase: "CLOSED",
    openedAtMs: opensAtMs(day, hours) + chance.integer(15, 900),
    closesAtMs: closesAtMs(day, hours),
    closedAtMs,
    settledAtMs,
  };
  const placed = plan.kind === "house"
    ? []
    : demoBids({ ...input, day }, accounts);
  const candidates = decide(placed, accounts, closedAtMs, settledAtMs);
  const winner = candidates.find(({ step }) => step === "won") ?? null;
  return {
    auction,
    settlement: {
      day,
      state: "settled",
      candidates,
      createdAtMs: closedAtMs,
      dueAtMs: closedAtMs,
      attempts: 0,
      leaseOwner: null,
      leaseUntilMs: 0,
    },
    spotlight: spotlightOf(input.baseUrl, plan, winner, settledAtMs),
    ledgerEntry: winner === null ? null : entryOf(day, winner, settledAtMs),
    invoices: [],
    bids: placed.map(({ bid, events }) => ({
      bid: { ...bid, status: statusOf(bid.id, candidates) },
      events,
    })),
  };
}

/** Ranks as closing does; the first whose card is not refused wins. */
function decide(
  placed: readonly DemoBid[],
  accounts: readonly DemoAccount[],
  closedAtMs: number,
  settledAtMs: number,
): Candidate[] {
  const ranked = rankCandidates(placed.map(({ bid }) => bid), closedAtMs);
  let won = false;
  return ranked.map((candidate): Candidate => {
    if (won) return candidate;
    const demo = accounts.find(({ account }) =>
      account.id === candidate.accountId
    );
    invariant(demo !== undefined, "a demo bid belongs to a demo account");
    const billed = {
      ...candidate,
      customerId: demo.account.processorCustomerId,
      stepSinceMs: settledAtMs,
    };
    if (demo.account.cardRefused) {
      return {
        ...billed,
        step: "passed_over",
        cardRefused: true,
        passedOverAs: "payment_failed",
        note: "generic_decline",
      };
    }
    won = true;
    const creative = demo.creatives.find(({ adId }) => adId === billed.adId);
    invariant(creative !== undefined, "a demo bid names a creative of its own");
    return {
      ...billed,
      step: "won",
      copy: {
        headline: creative.headline,
        description: creative.description,
        advertiser: demo.account.company?.name ?? "",
        targetUrl: creative.targetUrl,
      },
    };
  });
}

function statusOf(
  bidId: string,
  candidates: readonly Candidate[],
): Exclude<BidStatus, "lost"> {
  const candidate = candidates.find((each) => each.bidId === bidId);
  if (candidate?.step === "won") return "won";
  return candidate?.passedOverAs ?? "active";
}

/** The house advertisement of a day: they take turns. */
function houseAdOf(baseUrl: string, day: Day): HouseAd {
  const ads = demoHouseAds(baseUrl);
  const ad = ads[Math.floor(startOfDayMs(day) / DAY_MS) % ads.length];
  invariant(ad !== undefined, "there are house advertisements");
  return ad;
}

function spotlightOf(
  baseUrl: string,
  { day, removed }: DayPlan,
  winner: Candidate | null,
  settledAtMs: number,
): Spotlight {
  const copy = winner?.copy ?? houseAdOf(baseUrl, day);
  return {
    day,
    headline: copy.headline,
    description: copy.description,
    advertiser: copy.advertiser,
    targetUrl: copy.targetUrl,
    contentType: winner === null ? "house_advertisement" : "paid_advertisement",
    accountId: winner?.accountId ?? null,
    adId: winner?.adId ?? null,
    settledAtMs,
    removedAtMs: removed ? settledAtMs + REMOVED_AFTER_MS : null,
    removalReason: removed ? REMOVAL_REASON : null,
  };
}

/** Booked as settlement books a win, with money that nobody holds. */
function entryOf(day: Day, winner: Candidate, atMs: number): LedgerEntry {
  const { amountCents } = winner;
  return {
    id: `settlement:${day}`,
    atMs,
    reason: `settlement:${day}`,
    kind: "sale",
    paymentId: null,
    lines: [
      { account: "demo_clearing", amountCents },
      { account: "spotlight_revenue", amountCents: -amountCents },
    ],
  };
}
