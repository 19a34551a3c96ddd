/**
 * A whole auction day in one process: a real store in memory, the real
 * `stripe` package, the simulator over HTTP, and a clock that is told.
 *
 * @module
 */
import type Stripe from "stripe";
import type { Account } from "../../domain/accounts/account.ts";
import { newAccount } from "../../domain/accounts/new_account.ts";
import type { Bid } from "../../domain/bids/bid.ts";
import type { Day } from "../../domain/day.ts";
import type { Processor } from "../../domain/payments/processor.ts";
import type { Services, Settings } from "../../domain/ports.ts";
import {
  createStripeClient,
  type Travel,
} from "../../adapters/stripe/stripe_client.ts";
import { createStripeProcessor } from "../../adapters/stripe/stripe_processor.ts";
import {
  type Schedule,
  type Simulator,
  startSimulator,
} from "../../simulators/stripe/mod.ts";
import { toSimulator } from "./at_hand.ts";
import { ManualClock } from "./clock.ts";
import type { FaultRule } from "./faults.ts";
import type { FaultyKv } from "./faulty_kv.ts";
import { TEST_KEYS } from "./keys.ts";
import { MemoryKv } from "./memory_kv.ts";
import { OUTSIDE } from "./outside.ts";
import { MemoryLog } from "./captured_logs.ts";
import { dayText } from "./public_spotlights.ts";
import { TEST_SELLER } from "./seller.ts";
import {
  openTestStore,
  type TestProcess,
  type TestStore,
  type TestStoreOptions,
} from "./store.ts";

/** The day whose auction the tests run. */
export const AUCTION_DAY = dayText("2026-11-20");

/** How the service is set up in these tests. */
export const TEST_SETTINGS: Settings = {
  environment: "development",
  baseUrl: "https://spotlight.example",
  authUrl: "https://api.spotlight.example",
  docsMcpUrl: "https://docs.spotlight.example/mcp",
  auctionHours: { opensAtMinute: 0, closesAtMinute: 23 * 60 + 55 },
  operatorEmails: ["operator@example.com"],
  alertWebhookUrl: null,
  refundFourEyesCents: 100_000,
  seller: TEST_SELLER,
};

/** The key at the processor. */
export const SECRET_KEY = "sk_test_auction_world";

/** How long the service waits for an answer that a fault keeps back. */
const CALL_MS = 3_000;

/** What one advertiser bids with. */
export interface Advertiser {
  account: Account;
  adId: string;
  paymentMethodId: string;
}

/** The world of one test. */
export interface AuctionWorld extends AsyncDisposable {
  clock: ManualClock;
  log: MemoryLog;
  services: Services;
  simulator: Simulator;
  /** The SDK's own view of the processor's books. */
  stripe: Stripe;
  testStore: TestStore;
  kv: FaultyKv;
  /** Another process over the same store and processor. */
  another(
    wrap?: (processor: Processor) => Processor,
    faults?: readonly FaultRule[],
  ): { services: Services; kv: FaultyKv };
  /** An advertiser ready to bid, with the given magic card. */
  advertiser(name: string, card?: string): Promise<Advertiser>;
  /** Writes a bid as it stands after placing. */
  bid(who: Advertiser, amountCents: number, day?: Day): Promise<Bid>;
}

/** What a test may choose of the simulator. */
interface SimulatorChoices {
  /** Decides for the simulator; always in the middle unless given. */
  random?: (() => number) | undefined;
  /** Runs what the simulator does later; real timers unless given. */
  schedule?: Schedule | undefined;
  /** How the simulator's events travel; over HTTP unless given. */
  travel?: Travel | undefined;
}

/** What a test may choose of its world. */
export interface AuctionWorldOptions
  extends SimulatorChoices, Pick<TestStoreOptions, "kv" | "lanes" | "path"> {
  /** When it begins, RFC 3339; in the morning of the auction day. */
  startsAt?: string;
  /** How long the service waits for an answer, ms; a second. */
  callMs?: number;
  /** Whether store and processor are reached without threads and sockets. */
  isAtHand?: boolean;
}

/** Opens a world at the beginning of the auction day. */
export async function openAuctionWorld(
  { startsAt, callMs = CALL_MS, isAtHand = false, ...others }:
    AuctionWorldOptions = {},
): Promise<AuctionWorld> {
  const clock = new ManualClock(startsAt ?? `${AUCTION_DAY}T08:00:00.000Z`);
  const { random, schedule, travel, ...ofStore } = others;
  const testStore = await openTestStore({
    ...(isAtHand ? { kv: new MemoryKv() } : {}),
    ...ofStore,
    clock,
  });
  const simulator = await simulatorAt(clock, { random, schedule, travel });
  const reached = {
    secretKey: SECRET_KEY,
    apiBase: simulator.url,
    ...(isAtHand ? { travel: toSimulator(simulator.handle) } : {}),
  };
  const processor = createStripeProcessor(
    createStripeClient({ ...reached, timeoutMs: callMs }),
  );
  const log = new MemoryLog();
  const servicesOver = (
    { store, archive }: TestProcess,
    own: Processor,
  ): Services => ({
    clock,
    ids: testStore.ids,
    store,
    processor: own,
    ...OUTSIDE,
    archive,
    keys: TEST_KEYS,
    log,
    settings: TEST_SETTINGS,
  });
  const services = servicesOver(testStore, processor);
  return {
    clock,
    log,
    services,
    simulator,
    stripe: createStripeClient(reached),
    testStore,
    kv: testStore.kv,
    another(wrap = (same) => same, faults = []) {
      const other = testStore.another(faults);
      return {
        services: servicesOver(other, wrap(processor)),
        kv: other.kv,
      };
    },
    advertiser: (name, card = "pm_card_visa") =>
      createAdvertiser(services, name, card),
    bid: (who, amountCents, day = AUCTION_DAY) =>
      saveBid(services, who, amountCents, day),
    async [Symbol.asyncDispose]() {
      await simulator.stop();
      await testStore.close();
    },
  };
}

/** A simulator of the processor that goes by a clock, with books in memory. */
function simulatorAt(
  clock: ManualClock,
  { random = () => 0.5, schedule, travel }: SimulatorChoices,
): Promise<Simulator> {
  return startSimulator({
    hostname: "127.0.0.1",
    port: 0,
    booksPath: null,
    secretKey: SECRET_KEY,
    webhook: null,
    now: () => clock.now(),
    random,
    ...(schedule === undefined ? {} : { schedule }),
    ...(travel === undefined ? {} : { travel }),
  });
}

/** An onboarded, verified account with a creative and a card at the processor. */
export function createAdvertiser(
  services: Services,
  name: string,
  card: string,
): Promise<Advertiser> {
  const account = newAccount(`acc_${name}`, `${name}@example.com`, 0);
  return equipAdvertiser(services, { account, name, card, adId: `ad_${name}` });
}

/** Gives an account all that bidding takes. */
export async function equipAdvertiser(
  services: Services,
  { account, name, card, adId, companyName = `${name} GmbH` }: {
    account: Account;
    /** In whose words its texts are. */
    name: string;
    /** A magic card. */
    card: string;
    adId: string;
    companyName?: string;
  },
): Promise<Advertiser> {
  const { processor, store, clock } = services;
  const accountId = account.id;
  const customer = await processor.createCustomer({
    accountId,
    email: account.email,
    name: companyName,
    country: "DE",
    line1: "Hauptstraße 1",
    city: "Berlin",
    postalCode: "10115",
    vatId: "DE123456789",
    reverseCharge: true,
  }, `customer:${name}`);
  if (!customer.ok) throw new Error(customer.message);
  const attached = await processor.attachCard(
    customer.value.id,
    card,
    `card:${name}`,
  );
  if (!attached.ok) throw new Error(attached.message);
  const ready: Account = {
    ...account,
    ...readyToBid(companyName),
    processorCustomerId: customer.value.id,
    defaultPaymentMethodId: attached.value.id,
  };
  await store.transact((tx) => {
    tx.accounts.save(ready);
    tx.paymentMethods.save({
      ...attached.value,
      accountId,
      createdAtMs: clock.now(),
    });
    tx.creatives.save({
      adId,
      accountId,
      headline: `Headline of ${name}`,
      description: `What ${name} has to say about itself`,
      targetUrl: `https://${name}.example/`,
      state: "approved",
      createdAtMs: clock.now(),
    });
  });
  return { account: ready, adId, paymentMethodId: attached.value.id };
}

/** What is known of a company that may bid. */
function readyToBid(
  name: string,
): Pick<Account, "company" | "vatStatus" | "identityStatus"> {
  return {
    company: {
      name,
      country: "DE",
      vatId: "DE123456789",
      address: { line1: "Hauptstraße 1", city: "Berlin", postalCode: "10115" },
    },
    vatStatus: "valid",
    identityStatus: "verified",
  };
}

/** Writes a bid as it stands after placing. */
export function saveBid(
  services: Services,
  who: Advertiser,
  amountCents: number,
  day: Day,
): Promise<Bid> {
  const bid: Bid = {
    id: services.ids.next("bid"),
    day,
    accountId: who.account.id,
    adId: who.adId,
    amountCents,
    status: "active",
    placedAtMs: services.clock.now(),
    paymentMethodId: who.paymentMethodId,
    grantId: null,
  };
  return services.store.transact((tx) => {
    tx.bids.save(bid);
    tx.bidCounts.add(1, day);
    return bid;
  });
}
