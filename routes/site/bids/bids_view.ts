import type { Account } from "../../../domain/accounts/account.ts";
import {
  type Auction,
  closesAtMs,
  opensAtMs,
  phaseAt,
  type ShownWindow,
  shownWindow,
} from "../../../domain/auction/auction.ts";
import { readShownWindows } from "../../../domain/auction/read_shown_windows.ts";
import type { Bid } from "../../../domain/bids/bid.ts";
import type { OwnBid } from "../../../domain/bids/list_my_bids.ts";
import { listLiveBids } from "../../../domain/bids/list_live_bids.ts";
import { listPastBids } from "../../../domain/bids/list_past_bids.ts";
import { brandName } from "../../../domain/cards/brand_name.ts";
import { usableCards } from "../../../domain/cards/card.ts";
import { readCards } from "../../../domain/cards/change_cards.ts";
import {
  type Creative,
  isBiddable,
} from "../../../domain/creatives/creative.ts";
import { advertiserOf } from "../../../domain/creatives/advertiser_name.ts";
import { addDays, type Day, dayOf } from "../../../domain/day.ts";
import { readInvoiceNumbers } from "../../../domain/invoices/invoice_details.ts";
import type { Services } from "../../../domain/ports.ts";
import { readAll } from "../../../domain/read_all.ts";
import { PAGES } from "../../../domain/pages.ts";
import { readNextStep, type StepAhead } from "../first_steps/next_step.tsx";
import { obstaclesOf } from "../onboarding/steps.ts";
import type { EligibilityReason } from "../../../domain/refusal.ts";

/** Advertisements among which the approved ones are looked for. */
const CREATIVES_MAX = 100;

/** An advertisement that may be bid with. */
export interface AdChoice {
  creative: Creative;
  /** Whom readers are told that it is from. */
  advertiser: string;
}

/** A saved card. */
export interface CardChoice {
  id: string;
  /** Brand and last digits: Visa ending in 4242. */
  name: string;
  /** It is charged where a bid names none, as no raise does. */
  isDefault: boolean;
}

/** An own bid, with the words for what it names. */
export interface BidView extends OwnBid {
  /** The agent that placed or last raised it; null for the person. */
  agent: string | null;
  headline: string | null;
  /** Its invoice; null where none was made. */
  invoiceNumber: string | null;
}

/** The auction that takes bids now. */
export interface OpenAuction {
  day: Day;
  closesAtMs: number;
  shown: ShownWindow;
  standing: BidView | null;
}

/** The auction that is open, or when the next one is. */
export interface Tonight {
  open: OpenAuction | null;
  /** When the next auction opens, where none is open. */
  nextOpensAtMs: number;
}

/** A bid of a day whose auction was opened ahead. */
export interface BidAhead extends BidView {
  closesAtMs: number;
}

/** What the page shows. */
export interface BidsView extends Tonight {
  nowMs: number;
  /** Why the account may not bid, whatever steps it takes; null for nothing. */
  obstacle: EligibilityReason | null;
  /** The step to a first bid that is to be taken now; null where none is left. */
  next: StepAhead | null;
  ads: readonly AdChoice[];
  /** The default one first. */
  cards: readonly CardChoice[];
  /** Bids that stand for days to come, but for the auction that is open. */
  ahead: readonly BidAhead[];
  past: readonly BidView[];
  /** When the days that were won were on show. */
  shown: ReadonlyMap<Day, ShownWindow>;
  /** Where earlier bids go on; null at the first auction. */
  earlier: Day | null;
}

/** Reads the auction that is open, and an account's own bids. */
export async function readBidsView(
  services: Services,
  account: Account,
  through: Day | null,
): Promise<BidsView> {
  const nowMs = services.clock.now();
  const today = dayOf(nowMs);
  const [tonight, ads, cards] = await Promise.all([
    readTonight(services, account),
    listAds(services, account, nowMs),
    listCards(services, account),
  ]);
  const { open } = tonight;
  const lastPast = open === null || open.day > today
    ? today
    : addDays(today, -1);
  const { bids, earlier } = await listPastBids(services, {
    accountId: account.id,
    through: through !== null && through < lastPast ? through : lastPast,
  });
  const won = bids.filter(({ status }) => status === "won");
  return {
    nowMs,
    ...tonight,
    obstacle: obstaclesOf(account, services.settings)[0] ?? null,
    next: await readNextStep(services, account, PAGES.bids),
    ads,
    cards,
    ahead: await readAhead(services, account, { today, open }),
    past: await withWords(services, account.id, bids),
    shown: await readShownWindows(services, won.map(({ bid }) => bid.day)),
    earlier: isBefore(earlier, account) ? null : earlier,
  };
}

/** Whether a day was over before there was the account. */
function isBefore(day: Day | null, { createdAtMs }: Account): boolean {
  return day !== null && day < dayOf(createdAtMs);
}

/** Reads the auction that takes bids now, and the account's own bid in it. */
export async function readTonight(
  services: Services,
  account: Account,
): Promise<Tonight> {
  const { clock, settings: { auctionHours: hours } } = services;
  const nowMs = clock.now();
  const today = dayOf(nowMs);
  const auction = await findOpenAuction(services, today, nowMs);
  const opensToday = opensAtMs(today, hours);
  return {
    open: auction === null
      ? null
      : await readOpenAuction(services, account, auction),
    nextOpensAtMs: nowMs < opensToday
      ? opensToday
      : opensAtMs(addDays(today, 1), hours),
  };
}

/** Today's, or tomorrow's where today's has closed and that is open already. */
async function findOpenAuction(
  { store }: Services,
  today: Day,
  nowMs: number,
): Promise<Auction | null> {
  const auctions = await store.getMany([
    store.auctions.ref(today),
    store.auctions.ref(addDays(today, 1)),
  ]);
  return auctions.find((each) => phaseAt(each, nowMs) === "OPEN") ?? null;
}

async function readOpenAuction(
  services: Services,
  { id: accountId }: Account,
  { day, closesAtMs }: Auction,
): Promise<OpenAuction> {
  const { store, settings: { auctionHours } } = services;
  const bid = await store.bids.find(day, accountId);
  const standing = bid === null ? [] : [{ bid, status: bid.status }];
  const [own] = await withWords(services, accountId, standing);
  return {
    day,
    closesAtMs,
    shown: shownWindow(day, auctionHours),
    standing: own ?? null,
  };
}

/** An agent bids on any day that is open, up to a month ahead. */
async function readAhead(
  services: Services,
  { id: accountId }: Account,
  { today, open }: { today: Day; open: OpenAuction | null },
): Promise<BidAhead[]> {
  const { auctionHours } = services.settings;
  const live = await listLiveBids(services, { accountId });
  const ahead = live.filter(({ day }) => day > today && day !== open?.day);
  const own = ahead.map((bid) => ({ bid, status: bid.status }));
  return (await withWords(services, accountId, own)).map((view) => ({
    ...view,
    closesAtMs: closesAtMs(view.bid.day, auctionHours),
  }));
}

async function listAds(
  { store }: Services,
  account: Account,
  nowMs: number,
): Promise<AdChoice[]> {
  const creatives = await store.listNewestCreatives(account.id, {
    limit: CREATIVES_MAX,
    before: null,
  });
  return creatives
    .filter((creative) => isBiddable(creative, nowMs))
    .map((creative) => ({
      creative,
      advertiser: advertiserOf(creative, account),
    }));
}

async function listCards(
  services: Services,
  { id, defaultPaymentMethodId }: Account,
): Promise<CardChoice[]> {
  const { cards } = await readCards(services, id);
  return usableCards(cards)
    .map(({ id, brand, last4 }) => ({
      id,
      name: `${brandName(brand)} ending in ${last4}`,
      isDefault: id === defaultPaymentMethodId,
    }))
    .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault));
}

/** Bids with the names of their agents and the headlines of their creatives. */
async function withWords(
  { store }: Services,
  accountId: string,
  own: readonly OwnBid[],
): Promise<BidView[]> {
  const agentIds = unique(own.flatMap(({ bid }) => bid.grantId ?? []));
  const adIds = unique(own.map(({ bid }) => bid.adId));
  const [grants, creatives, invoiceNumbers] = await Promise.all([
    readAll(store, agentIds.map((id) => store.grants.ref(id))),
    readAll(store, adIds.map((id) => store.creatives.ref(accountId, id))),
    readInvoiceNumbers({ store }, own.map(({ bid }) => bid)),
  ]);
  const nameOf = ({ grantId }: Bid) =>
    grantId === null
      ? null
      : grants[agentIds.indexOf(grantId)]?.client.name ?? "a former agent";
  return own.map(({ bid, status }) => ({
    bid,
    status,
    agent: nameOf(bid),
    headline: creatives[adIds.indexOf(bid.adId)]?.headline ?? null,
    invoiceNumber: invoiceNumbers.get(bid.id) ?? null,
  }));
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
