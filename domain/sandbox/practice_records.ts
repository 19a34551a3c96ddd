/**
 * What is there when a rehearsal begins: an advertiser who may bid, and the
 * open auction of a day that never was.
 *
 * @module
 */
import type { Account, PaymentMethod } from "../accounts/account.ts";
import type { Auction } from "../auction/auction.ts";
import type { Creative } from "../creatives/creative.ts";
import { type Day, DAY_MS, startOfDayMs } from "../day.ts";
import type { BearerGrant, Grant } from "../oauth/grant.ts";
import type { Practice } from "../ports.ts";
import {
  PRACTICE_SCENES,
  PRACTICE_VAT_ID,
  sceneOf,
} from "./practice_scenes.ts";

/** The one day whose auction is open in rehearsals, that of the sample record. */
export const PRACTICE_DAY = "2025-01-01" as Day;

/** What a bid stands with in rehearsals. */
export const PRACTICE: Practice = { day: PRACTICE_DAY, adId: "ad_practice" };

/** What every clock of a rehearsal shows at its beginning: noon of that day. */
export const PRACTICE_STARTS_MS: number = startOfDayMs(PRACTICE_DAY) +
  DAY_MS / 2;

/** Auctions of rehearsals have the usual hours, however the service is set up. */
export const PRACTICE_HOURS = {
  opensAtMinute: 0,
  closesAtMinute: 23 * 60 + 55,
};

/** Advertisers beside the one who rehearses. */
const PRACTICE_RIVALS = 2;

const ACCOUNT: Account = {
  id: "acc_practice",
  email: "practice@example.com",
  createdAtMs: 0,
  company: {
    name: "Example Bakery",
    country: "DE",
    vatId: PRACTICE_VAT_ID,
    address: { line1: "Sample Street 1", city: "Berlin", postalCode: "10115" },
  },
  vatStatus: "valid",
  identityStatus: "verified",
  suspendedAtMs: null,
  disputeOpen: false,
  cardRefused: false,
  partner: false,
  paidWins: 0,
  processorCustomerId: null,
  defaultPaymentMethodId: "pm_practice",
};

const CARDS: readonly PaymentMethod[] = [
  { id: "pm_practice" },
  { id: "pm_practice_refused", refusedAtMs: 1 },
].map((card) => ({
  ...card,
  accountId: ACCOUNT.id,
  brand: "visa",
  last4: "4242",
  expMonth: 12,
  expYear: 2030,
  createdAtMs: 0,
}));

const AUCTION: Auction = {
  day: PRACTICE_DAY,
  phase: "OPEN",
  openedAtMs: startOfDayMs(PRACTICE_DAY),
  closesAtMs: startOfDayMs(PRACTICE_DAY) +
    PRACTICE_HOURS.closesAtMinute * 60_000,
  closedAtMs: null,
  settledAtMs: null,
};

/** What the made-up user allowed: the cap is below the highest bid on purpose. */
const MANDATE = { maxBidCents: 50_000, dailyCapCents: 40_000 };

/** The grant of a rehearsal, as somebody holds it who names that creative. */
export function practiceGrant(
  rehearsalId: string,
  adId: string | null,
): Grant & BearerGrant {
  const { scopes = SCOPES, mandate } = sceneOf(adId);
  const lastsMs = mandate === "expired" ? -1 : 30 * DAY_MS;
  return {
    id: rehearsalId,
    accountId: ACCOUNT.id,
    clientId: "https://agent.example/client.json",
    client: {
      name: "Agent in a rehearsal",
      host: null,
      redirectHost: null,
      authentication: { method: "none" },
    },
    scopes,
    resources: ["agent"],
    lineId: rehearsalId,
    lines: [{
      id: rehearsalId,
      resources: ["agent"],
      begunAtMs: 0,
      refresh: null,
    }],
    mandate: mandate === "missing"
      ? null
      : { ...MANDATE, validUntilMs: PRACTICE_STARTS_MS + lastsMs },
    refresh: null,
    createdAtMs: 0,
    lastUsedAtMs: null,
    revokedAtMs: null,
    revokedReason: null,
  };
}

/** What a connection for bidding has in earnest, so that next steps are the same. */
const SCOPES = [
  "account:read",
  "bids:read",
  "bids:write",
  "creatives:read",
  "creatives:write",
] as const;

/** The creative of that id; null for one that is not in rehearsals. */
function practiceCreative(adId: string): Creative | null {
  if (!Object.hasOwn(PRACTICE_SCENES, adId)) return null;
  return {
    adId,
    accountId: ACCOUNT.id,
    state: sceneOf(adId).creative ?? "approved",
    headline: "Fresh bread, baked before you wake",
    description: "Order until midnight and find warm sourdough at your door.",
    targetUrl: "https://bakery.example.com/",
    createdAtMs: 0,
  };
}

/** The records that a rehearsal begins with, by their family. */
export function practiceRecord(
  family: string,
  id: readonly unknown[],
  { rehearsalId, adId }: { rehearsalId: string; adId: string | null },
): unknown {
  switch (family) {
    case "accounts":
      return { ...ACCOUNT, ...sceneOf(adId).account };
    case "grants":
      return practiceGrant(rehearsalId, adId);
    case "creatives":
      return practiceCreative(String(id[1]));
    case "paymentMethods":
      return CARDS.find((card) => card.id === id[1]) ?? null;
    case "auctions":
      return id[0] === PRACTICE_DAY ? AUCTION : null;
    case "bidCounts":
      return id[0] === PRACTICE_DAY ? PRACTICE_RIVALS : 0;
    default:
      return null;
  }
}
