import type { Account, PaymentMethod } from "../../domain/accounts/account.ts";
import { openAuction } from "../../domain/auction/open_auction.ts";
import {
  afterSync,
  type CardsState,
  newCardsState,
} from "../../domain/cards/cards_state.ts";
import { nextWarningMs } from "../../domain/cards/expiry.ts";
import { addDays, type Day, dayOf, startOfDayMs } from "../../domain/day.ts";
import { groupsOf } from "../../domain/groups.ts";
import {
  archiveDocuments,
  DOCUMENTS_PER_RUN,
} from "../../domain/invoices/archive_documents.ts";
import { newArchiveTask } from "../../domain/invoices/archive_task.ts";
import { bookWin } from "../../domain/invoices/invoice_books.ts";
import { refundSpotlight } from "../../domain/invoices/refund_spotlight.ts";
import type { Services, Transaction } from "../../domain/ports.ts";
import { refuse } from "../../domain/refusal.ts";
import {
  DEMO_ADVERTISERS,
  type DemoAccount,
  demoAccount,
  isDemoAccount,
  operatorAccount,
} from "./accounts.ts";
import { type DayPlan, planDays } from "./calendar.ts";
import { type DemoDay, demoDay } from "./history.ts";
import { demoClicks } from "./day_clicks.ts";
import { demoHouseAds } from "./house_ads.ts";
import { pastEventLogs, pastEvents } from "./past_events.ts";
import { type AtMoment, openPastSales, type PastSales } from "./past_sales.ts";
import { saveCards } from "./save_cards.ts";

/** Public settled days when nobody says how many. */
export const DEMO_DAYS_DEFAULT = 90;
/** More history than ten years is no demo. */
export const DEMO_DAYS_MAX = 3_650;
/** The seed when nobody names one. */
export const DEMO_SEED_DEFAULT = 1;

/** Days in one commit, which checks each of them and adds their figures. */
const DAYS_A_COMMIT = 5;
/** A store with more accounts than the demo writes is not empty. */
const ACCOUNTS_LOOKED_AT = 50;

/** What to fill an empty store with. */
export interface FillStore {
  /** Public settled days up to yesterday, 1 to {@linkcode DEMO_DAYS_MAX}. */
  days: number;
  /** The same seed on the same day gives the same data. */
  seed: number;
}

/** What was filled in. */
export interface FilledStore {
  firstDay: Day;
  /** Settled days, the removed one included. */
  settledDays: number;
  advertisers: number;
}

/**
 * Fills an empty store with a believable past: advertisers, their cards at the
 * processor, settled days up to yesterday, and today's auction open without a
 * bid. Takes up again where a crash left it.
 *
 * @param at of a processor whose clock can be told: it charges the winners, and
 * the books have its money; null for books of make-believe money
 * @throws {Refused} `store_not_empty` when anything else is in the store
 * @throws {ProcessorUncertain} when the processor gives no definite answer
 */
export async function fillStore(
  services: Services,
  input: FillStore,
  at: AtMoment | null = null,
): Promise<FilledStore> {
  const { clock, settings } = services;
  const { baseUrl } = settings;
  const today = dayOf(clock.now());
  const seed = String(input.seed);
  await refuseUnlessEmpty(services, seed, today);
  const plans = planDays({ seed, today, publicDays: input.days });
  const firstDay = addDays(today, -plans.length);
  const accounts = await saveCards(
    services,
    DEMO_ADVERTISERS.map((each) =>
      demoAccount(each, { seed, firstDay, today })
    ),
  );
  const history = plans.map((plan) =>
    demoDay(
      { seed, today, hours: settings.auctionHours, accounts, baseUrl },
      plan,
    )
  );
  const operators = settings.operatorEmails.map((email) =>
    operatorAccount(email, { seed, firstDay, today })
  );
  await writeAccounts(services, accounts, operators, history);
  const sales = at && await openPastSales(services, accounts, {
    at,
    firstDayMs: startOfDayMs(firstDay),
  });
  await writeHistory(services, seed, history, sales);
  if (sales !== null) await finishSales(services, sales, history);
  await writeCalendar(services, firstDay, plans);
  await openAuction(services, { day: today });
  return {
    firstDay,
    settledDays: plans.length,
    advertisers: accounts.length,
  };
}

async function refuseUnlessEmpty(
  { store }: Services,
  seed: string,
  today: Day,
): Promise<void> {
  const [calendar, accounts] = await Promise.all([
    store.calendar.find(),
    store.listAccounts({ limit: ACCOUNTS_LOOKED_AT }),
  ]);
  // A service that runs without data has opened today's auction, no more.
  const begun = calendar !== null && calendar.launchDay < today;
  const foreign = accounts.some((account) => !isDemoAccount(account, seed));
  if (begun || foreign) refuse({ code: "store_not_empty" });
}

/** The state of an account whose one card was saved without a page. */
function cardsStateWith(card: PaymentMethod): CardsState {
  const cardsState = afterSync(
    newCardsState(card.accountId),
    1,
    card.createdAtMs,
  );
  return { ...cardsState, version: 1, warnDueAtMs: nextWarningMs(card) };
}

function writeAccounts(
  { store, settings, clock }: Services,
  accounts: readonly DemoAccount[],
  operators: readonly Account[],
  history: readonly DemoDay[],
): Promise<void> {
  return store.transact((tx) => {
    for (const { account, creatives, card } of accounts) {
      const paidWins = history.filter(({ spotlight }) =>
        spotlight.accountId === account.id
      ).length;
      tx.accounts.save({ ...account, paidWins });
      for (const creative of creatives) tx.creatives.save(creative);
      if (card !== null) {
        tx.paymentMethods.save(card);
        tx.wallets.save(cardsStateWith(card));
      }
    }
    for (const account of operators) tx.accounts.save(account);
    for (const ad of demoHouseAds(settings.baseUrl)) tx.houseAds.save(ad);
    const logs = pastEventLogs(history, clock.now());
    for (const log of logs) tx.eventLogs.save(log);
  });
}

async function writeHistory(
  { store, clock }: Services,
  seed: string,
  history: readonly DemoDay[],
  sales: PastSales | null,
): Promise<void> {
  for (const planned of groupsOf(history, DAYS_A_COMMIT)) {
    // Written at once, so that no job finds charges without their days.
    const batch = sales === null ? planned : await sales.sell(planned);
    await store.transact(async (tx) => {
      const standing = await tx.getMany(
        batch.map(({ auction }) => tx.auctions.ref(auction.day)),
      );
      // Counts are sums, so what a crashed fill wrote is not written again.
      const missing = batch.filter((_, nth) => standing[nth] === null);
      for (const day of missing) {
        writeDay(tx, day, clock.now());
        const clicks = demoClicks(seed, day.spotlight, clock.now());
        for (const { dimension, value, count } of clicks) {
          tx.clickCounts.add(count, day.spotlight.day, dimension, value);
        }
      }
    });
  }
}

function writeDay(tx: Transaction, day: DemoDay, nowMs: number): void {
  tx.auctions.save(day.auction);
  tx.settlements.save(day.settlement);
  tx.spotlights.save(day.spotlight);
  writeMoney(tx, day);
  if (day.bids.length > 0) {
    tx.bidCounts.add(day.bids.length, day.auction.day);
  }
  for (const { bid, events } of day.bids) {
    tx.bids.save(bid);
    for (const event of events) tx.bidEvents.save(event);
  }
  for (const event of pastEvents(day, nowMs)) tx.accountEvents.save(event);
}

/** Books what the processor took, or make-believe money where it took none. */
function writeMoney(
  tx: Transaction,
  { invoices, ledgerEntry, spotlight }: DemoDay,
): void {
  for (const { invoice, paymentId } of invoices) {
    const { number, id: documentId, accountId, finalizedAtMs } = invoice;
    const printed = { number, kind: "invoice", documentId, accountId } as const;
    tx.archiveTasks.save(newArchiveTask(printed, finalizedAtMs));
    if (paymentId === null) tx.invoices.save(invoice);
    else bookWin(tx, invoice, paymentId, spotlight.settledAtMs);
  }
  if (invoices.length === 0 && ledgerEntry !== null) {
    tx.ledger.save(ledgerEntry);
  }
}

/** Gives back what a removed day cost, and archives all that was printed. */
async function finishSales(
  services: Services,
  sales: PastSales,
  history: readonly DemoDay[],
): Promise<void> {
  await sales.end();
  for (const { spotlight: { day, removedAtMs, accountId } } of history) {
    if (removedAtMs === null || accountId === null) continue;
    await refundSpotlight(services, { day, note: "Removed" });
  }
  for (let run = 0; run * DOCUMENTS_PER_RUN <= history.length; run++) {
    await archiveDocuments(services);
  }
}

/** The last commit: with it the store is no longer empty. */
function writeCalendar(
  { store }: Services,
  launchDay: Day,
  plans: readonly DayPlan[],
): Promise<void> {
  const settledThroughDay = plans.at(-1)?.day ?? null;
  return store.transact((tx) => {
    tx.calendar.save({ launchDay, settledThroughDay });
    tx.touchSpotlights();
  });
}
