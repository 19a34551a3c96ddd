import {
  type AuctionHours,
  closesAtMs,
  opensAtMs,
} from "../../domain/auction/auction.ts";
import type { Bid, BidEvent } from "../../domain/bids/bid.ts";
import { type Day, daysBetween } from "../../domain/day.ts";
import { invariant } from "../../domain/invariant.ts";
import type { DemoAccount } from "./accounts.ts";
import { type Chance, chanceOf, demoId } from "./chance.ts";

const BIDDERS_MIN = 2;
const BIDDERS_MAX = 6;
/** Lowest and highest first bid, cents. */
const FIRST_BID_CENTS = [2_500, 29_000] as const;
/** Lowest and highest step of a raise, cents. */
const RAISE_CENTS = [100, 3_500] as const;
/** More than anyone else bids: the bid whose card is refused ranks first. */
const TOP_BID_CENTS = 45_500;

/** The day that is bid for. */
export interface BidsOfDay {
  seed: string;
  day: Day;
  today: Day;
  hours: AuctionHours;
}

/** A bid with its history. */
export interface DemoBid {
  bid: Bid;
  events: readonly BidEvent[];
}

/** The bids of a past day, none of them decided yet. */
export function demoBids(
  input: BidsOfDay,
  accounts: readonly DemoAccount[],
): DemoBid[] {
  const chance = chanceOf(`${input.seed}|bids|${input.day}`);
  const daysAgo = daysBetween(input.day, input.today);
  const bidding = accounts.filter(({ advertiser }) =>
    advertiser.trouble !== "card_refused" &&
    (advertiser.lastBidDaysAgo ?? Infinity) <= daysAgo
  );
  const refused = accounts.filter(({ advertiser }) =>
    advertiser.trouble === "card_refused" &&
    advertiser.lastBidDaysAgo === daysAgo
  );
  const count = chance.integer(BIDDERS_MIN, BIDDERS_MAX);
  return [
    ...chance.some(bidding, count).map((demo) =>
      demoBid(input, demo, chance, chance.integer(...FIRST_BID_CENTS))
    ),
    ...refused.map((demo) => demoBid(input, demo, chance, TOP_BID_CENTS)),
  ];
}

function demoBid(
  { seed, day, hours }: BidsOfDay,
  demo: DemoAccount,
  chance: Chance,
  firstCents: number,
): DemoBid {
  const { account } = demo;
  const bidId = demoId("bid", seed, `${day}|${account.email}`);
  const { adId } = chance.pick(
    demo.creatives.filter(({ state }) => state !== "rejected"),
  );
  const raises = chance.pick([0, 0, 0, 1, 1, 2]);
  const opensMs = opensAtMs(day, hours);
  const spanMs = closesAtMs(day, hours) - opensMs;
  const events: BidEvent[] = [];
  let amountCents = firstCents;
  for (let at = 0; at <= raises; at++) {
    // Each event has a part of the day of its own, so they stand in order.
    const partMs = spanMs / (raises + 1);
    const atMs = opensMs + at * partMs + chance.integer(1, 97) / 100 * partMs;
    if (at > 0) amountCents += chance.integer(...RAISE_CENTS);
    events.push({
      bidId,
      day,
      accountId: account.id,
      kind: at === 0 ? "placed" : "raised",
      adId,
      amountCents,
      atMs: Math.floor(atMs),
      grantId: null,
    });
  }
  const last = events.at(-1);
  invariant(last !== undefined, "a bid was placed at least");
  const bid: Bid = {
    id: bidId,
    day,
    accountId: account.id,
    adId,
    amountCents: last.amountCents,
    status: "active",
    placedAtMs: last.atMs,
    // A card that was removed since was a card then.
    paymentMethodId: demo.card?.id ?? demoId("pm", seed, account.email),
    grantId: null,
  };
  return { bid, events };
}
