import type { Account, PaymentMethod } from "../../domain/accounts/account.ts";
import { newAccount } from "../../domain/accounts/new_account.ts";
import { presentName } from "../../domain/creatives/advertiser_name.ts";
import type { Creative } from "../../domain/creatives/creative.ts";
import { addDays, type Day, DAY_MS, startOfDayMs } from "../../domain/day.ts";
import { BIDDING_ADVERTISERS } from "./bidding_advertisers.ts";
import type { DemoAdvertiser } from "./advertiser.ts";
import { chanceOf, demoId } from "./chance.ts";
import { NEW_ADVERTISERS } from "./new_advertisers.ts";
import { TROUBLED_ADVERTISERS } from "./troubled_advertisers.ts";

/** Every demo advertiser, those who are ready to bid first. */
export const DEMO_ADVERTISERS: readonly DemoAdvertiser[] = [
  ...BIDDING_ADVERTISERS,
  ...TROUBLED_ADVERTISERS,
  ...NEW_ADVERTISERS,
];

/** Why the suspended one is, as its owner reads it. */
const SUSPENSION_REASON = "Readers reported that orders were not delivered. " +
  "Send us proof of delivery to have this lifted.";

/** An advertiser's records. */
export interface DemoAccount {
  advertiser: DemoAdvertiser;
  account: Account;
  creatives: readonly Creative[];
  card: PaymentMethod | null;
}

/** What records are made from. */
export interface AccountSeed {
  seed: string;
  /** The first day of the demo's history; accounts are a little older. */
  firstDay: Day;
  today: Day;
}

/** The records of an advertiser before a card is saved for it. */
export function demoAccount(
  advertiser: DemoAdvertiser,
  { seed, firstDay, today }: AccountSeed,
): DemoAccount {
  const { email, site, trouble, lastBidDaysAgo } = advertiser;
  const lastBidDay = addDays(today, -(lastBidDaysAgo ?? 1));
  const chance = chanceOf(`${seed}|account|${email}`);
  const ageMs = chance.integer(8, 40) * DAY_MS - chance.integer(0, DAY_MS);
  const createdAtMs = startOfDayMs(firstDay) - ageMs;
  const account: Account = {
    ...newAccount(demoId("acc", seed, email), email, createdAtMs),
    company: advertiser.company,
    vatStatus: advertiser.vatStatus,
    identityStatus: advertiser.identityStatus,
    suspendedAtMs: trouble === "suspended"
      ? startOfDayMs(lastBidDay) + DAY_MS
      : null,
    ...trouble === "suspended" && { suspensionReason: SUSPENSION_REASON },
    disputeOpen: trouble === "disputes",
    ...trouble === "disputes" && {
      blockingDisputes: ["du_demo_open", "du_demo_lost"],
      lostDisputes: ["du_demo_lost"],
      disputeLostAtMs: startOfDayMs(lastBidDay) + DAY_MS,
    },
    cardRefused: trouble === "card_refused",
  };
  const creatives = advertiser.ads.map((ad, at): Creative => ({
    adId: demoId("ad", seed, `${email}${ad.path}`),
    accountId: account.id,
    headline: ad.headline,
    description: ad.description,
    targetUrl: `${site}${ad.path}`,
    state: ad.state ?? "approved",
    ...(ad.state ?? "approved") === "approved" && {
      advertiser: presentName(account),
    },
    createdAtMs: createdAtMs + (at + 1) * chance.integer(1, 30) * 3_600_000,
  }));
  return { advertiser, account, creatives, card: null };
}

/** The account of an operator, who reviews and never bids. */
export function operatorAccount(
  email: string,
  { seed, firstDay }: AccountSeed,
): Account {
  const id = demoId("acc", seed, email);
  return newAccount(id, email, startOfDayMs(firstDay) - 60 * DAY_MS);
}

/** Whether the account is one that a fill of this seed writes. */
export function isDemoAccount(account: Account, seed: string): boolean {
  return account.id === demoId("acc", seed, account.email);
}
