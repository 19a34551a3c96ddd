/**
 * Accounts that save cards: a real store, the real `stripe` package, the
 * simulator and its hosted pages over HTTP, and a clock that is told.
 *
 * @module
 */
import type {
  Account,
  PaymentMethod,
} from "../../../domain/accounts/account.ts";
import { eligibilityReasons } from "../../../domain/accounts/eligibility.ts";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { saveCompany } from "../../../domain/accounts/save_company.ts";
import { openAuction } from "../../../domain/auction/open_auction.ts";
import type { PlaceBid } from "../../../domain/bidding/bid_state.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { finishCardSetup } from "../../../domain/cards/finish_card_setup.ts";
import { listCards } from "../../../domain/cards/list_cards.ts";
import { startCardSetup } from "../../../domain/cards/start_card_setup.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import { pushCustomer } from "../../../domain/payments/push_customer.ts";
import type { Services } from "../../../domain/ports.ts";
import { createStripeProcessor } from "../../../adapters/stripe/stripe_processor.ts";
import type { StripeClient } from "../../../adapters/stripe/stripe_client.ts";
import { submit, type Visit } from "../../simulators/stripe/browser.ts";
import { saveSession } from "../../support/sessions.ts";
import {
  AUCTION_DAY,
  type AuctionWorld,
  openAuctionWorld,
  TEST_SETTINGS,
} from "../../support/auction_world.ts";
import type { FaultRule } from "../../support/faults.ts";
import type { FaultyKv } from "../../support/faulty_kv.ts";

/** An open page of the processor's. */
export interface OpenSetup {
  ref: string;
  url: string;
  /** The processor's id of it. */
  sessionId: string;
}

/** The world of one test, its auction open. */
export interface CardsWorld extends AuctionWorld {
  /** An onboarded, verified account that the processor knows, without cards. */
  account(name: string): Promise<string>;
  /** Opens a page for a card. */
  open(accountId: string): Promise<OpenSetup>;
  /** Opens a page, gives it a test card and comes back. */
  save(accountId: string, card?: string): Promise<PaymentMethod>;
  /** Gives an open page a test card. */
  pay(setup: OpenSetup, card?: string): Promise<Visit>;
  accountOf(accountId: string): Promise<Account>;
  /** Why the account may not bid. */
  reasons(accountId: string): Promise<string[]>;
  /** The last four digits of the cards, the default one marked. */
  cards(accountId: string): Promise<string[]>;
  /** Those that the processor has. */
  attached(accountId: string): Promise<string[]>;
  /** Another process, whose processor waits longer for answers. */
  isolate(
    wrap?: (processor: Processor) => Processor,
    faults?: readonly FaultRule[],
  ): { services: Services; kv: FaultyKv };
}

/** Opens the world. */
export async function openCardsWorld(): Promise<CardsWorld> {
  const world = await openAuctionWorld();
  // The auction world's own gives up after a quarter of a second.
  const processor = createStripeProcessor(world.stripe as StripeClient);
  const services = { ...world.services, processor };
  await openAuction(services, { day: AUCTION_DAY });
  await saveSession(services);
  const { store } = services;
  const open = (accountId: string) => openSetup(services, accountId);
  const accountOf = async (accountId: string) => {
    const account = await store.accounts.find(accountId);
    if (account === null) throw new TypeError(`${accountId} is not there`);
    return account;
  };
  return {
    ...world,
    services,
    open,
    pay,
    accountOf,
    account: (name) => openAccount(services, name),
    async save(accountId, card = "visa") {
      const setup = await open(accountId);
      await pay(setup, card);
      const { ref } = setup;
      const result = await finishCardSetup(services, { accountId, ref });
      const [newest] = await listCards(services, { accountId });
      if (result !== "saved" || newest === undefined) {
        throw new TypeError(result);
      }
      world.clock.advance(1);
      return newest.card;
    },
    async reasons(accountId) {
      return eligibilityReasons(await accountOf(accountId), TEST_SETTINGS);
    },
    async cards(accountId) {
      const own = await listCards(services, { accountId });
      return own.map(({ card, isDefault }) =>
        `${card.last4}${isDefault ? "*" : ""}`
      );
    },
    async attached(accountId) {
      const { processorCustomerId } = await accountOf(accountId);
      const customer = processorCustomerId ?? "";
      const { data } = await world.stripe.paymentMethods.list({ customer });
      return data.map(({ card }) => card?.last4 ?? "");
    },
    isolate: (wrap = (same) => same, faults = []) =>
      world.another(() => wrap(processor), faults),
  };
}

async function openAccount(services: Services, name: string): Promise<string> {
  const accountId = `acc_${name}`;
  await services.store.transact((tx) => {
    tx.accounts.save({
      ...newAccount(accountId, `${name}@example.com`, 0),
      vatStatus: "valid",
      identityStatus: "verified",
    });
  });
  await saveCompany(services, {
    accountId,
    company: {
      name: `${name} GmbH`,
      country: "DE",
      vatId: null,
      address: { line1: "Hauptstraße 1", city: "Berlin", postalCode: "10115" },
    },
  });
  await services.store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    if (account) tx.accounts.save({ ...account, vatStatus: "valid" });
  });
  await pushCustomer(services, { accountId });
  return accountId;
}

async function openSetup(
  services: Services,
  accountId: string,
): Promise<OpenSetup> {
  const session = await saveSession(services, accountId);
  const asked = {
    accountId,
    by: { session },
    admit: () => Promise.resolve(),
  };
  const { url } = await startCardSetup(services, asked);
  const cardsState = await services.store.wallets.find(accountId);
  const { ref, sessionId } = cardsState?.setups.at(-1) ?? {};
  if (ref === undefined || typeof sessionId !== "string") {
    throw new TypeError("A page that was opened is remembered");
  }
  return { ref, url, sessionId };
}

function pay({ url }: OpenSetup, card = "visa"): Promise<Visit> {
  return submit(url, { card });
}

/**
 * The same services, with a bid that is placed by others once the cards are
 * looked at for the first time: after the first look at the bids, before any
 * commit.
 */
export function overtakenBy(
  { services }: CardsWorld,
  bid: PlaceBid,
  other: Services,
): { services: Services; isPlaced: () => boolean } {
  let placed = false;
  const { store } = other;
  return {
    isPlaced: () => placed,
    services: {
      ...other,
      store: {
        ...store,
        async listPaymentMethods(...given) {
          if (!placed) await placeBid(services, bid);
          placed = true;
          return await store.listPaymentMethods(...given);
        },
      },
    },
  };
}

/** A bid of EUR 10 in the browser, with a creative made for it. */
export async function browserBid(
  { services }: CardsWorld,
  accountId: string,
  paymentMethodId: string | null = null,
  amountCents = 1_000,
): Promise<PlaceBid> {
  const adId = `ad_${accountId}`;
  const account = await services.store.transact(async (tx) => {
    tx.creatives.save({
      adId,
      accountId,
      headline: "A headline",
      description: "What there is to say about it",
      targetUrl: "https://ada.example/",
      state: "approved",
      createdAtMs: 0,
    });
    return await tx.accounts.find(accountId);
  });
  if (account === null) throw new TypeError(`${accountId} is not there`);
  const session = await saveSession(services, accountId);
  const by = { account, session };
  const day = AUCTION_DAY;
  return { by, day, adId, amountCents, paymentMethodId, binding: null };
}
