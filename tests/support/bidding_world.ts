/**
 * Advertisers who are ready to bid through agents, over a real store and a
 * clock that is told. The processor is out of reach: no bid needs it.
 *
 * @module
 */
import type { Account } from "../../domain/accounts/account.ts";
import { openAuction } from "../../domain/auction/open_auction.ts";
import type { Bidder, PlaceBid } from "../../domain/bidding/bid_state.ts";
import type { Creative } from "../../domain/creatives/creative.ts";
import { type Day, DAY_MS } from "../../domain/day.ts";
import { requestHash } from "../../domain/idempotency/canonical_json.ts";
import { createGrant } from "../../tools/demo/create_grant.ts";
import type { Grant, Mandate, Scope } from "../../domain/oauth/grant.ts";
import type { Processor } from "../../domain/payments/processor.ts";
import type { Services, Settings, Store } from "../../domain/ports.ts";
import { hashedBid } from "../../routes/shapes/bid_body.ts";
import { MemoryLog } from "./captured_logs.ts";
import { ManualClock } from "./clock.ts";
import { TEST_KEYS } from "./keys.ts";
import { OUTSIDE } from "./outside.ts";
import { dayText } from "./public_spotlights.ts";
import { TEST_SELLER } from "./seller.ts";
import { saveSession } from "./sessions.ts";
import {
  openTestStore,
  type TestStore,
  type TestStoreOptions,
} from "./store.ts";

/** The day whose auction the tests bid in; the clock begins at its noon. */
export const BID_DAY = dayText("2026-11-20");

/** When that auction closes. */
export const BID_DAY_CLOSES_MS = Date.parse("2026-11-20T23:55:00.000Z");

/** How the service is set up in these tests. */
export const BID_SETTINGS: Settings = {
  environment: "development",
  baseUrl: "https://spotlight.example",
  authUrl: "https://api.spotlight.example",
  docsMcpUrl: "https://docs.spotlight.example/mcp",
  auctionHours: { opensAtMinute: 0, closesAtMinute: 23 * 60 + 55 },
  operatorEmails: ["operator@example.com"],
  alertWebhookUrl: null,
  refundFourEyesCents: 50_000,
  seller: TEST_SELLER,
};

/** The scopes most agents of these tests hold. */
export const BID_SCOPES: readonly Scope[] = [
  "account:read",
  "bids:read",
  "bids:write",
];

/** What may differ from an advertiser that is ready. */
export interface AdvertiserOptions {
  account?: Partial<Account>;
  creative?: Partial<Creative>;
  scopes?: readonly Scope[];
  mandate?: Partial<Mandate>;
  /** One of its own when left out. */
  clientId?: string;
}

/** An advertiser with a creative, a card and an agent. */
export interface Agent {
  account: Account;
  adId: string;
  cardId: string;
  grant: Grant;
  /** Of the tokens. */
  lineId: string;
  accessToken: string;
  refreshToken: string;
}

/** The world of one test. */
export interface BiddingWorld extends AsyncDisposable {
  clock: ManualClock;
  services: Services;
  testStore: TestStore;
  /** The same service over another process's store. */
  over(store: Store): Services;
  agent(name: string, options?: AdvertiserOptions): Promise<Agent>;
  open(day?: Day): Promise<void>;
}

/** Opens a world with the auction of {@linkcode BID_DAY} open. */
export async function openBiddingWorld(
  options: TestStoreOptions & { opened?: boolean } = {},
): Promise<BiddingWorld> {
  const testStore = await openTestStore(options);
  const { clock, ids } = testStore;
  const log = new MemoryLog();
  const over = (store: Store): Services => ({
    clock,
    ids,
    store,
    processor: outOfReach(clock),
    ...OUTSIDE,
    archive: testStore.archive,
    keys: TEST_KEYS,
    log,
    settings: BID_SETTINGS,
  });
  const services = over(testStore.store);
  const open = async (day: Day = BID_DAY) => {
    await openAuction(services, { day });
  };
  if (options.opened ?? true) await open();
  return {
    clock,
    services,
    testStore,
    over,
    open,
    agent: (name, wanted = {}) => createAgent(services, name, wanted),
    [Symbol.asyncDispose]: () => testStore.close(),
  };
}

/** A bid of EUR 10 by the agent under a key, with what differs from it. */
export function bidBy(
  agent: Agent,
  { key, ...changes }: Partial<PlaceBid> & { key?: string } = {},
): PlaceBid {
  const bid = {
    day: BID_DAY,
    adId: agent.adId,
    amountCents: 1_000,
    paymentMethodId: null,
    ...changes,
  };
  const name = key ?? `key-${agent.account.id}-${bid.amountCents}`;
  const binding = {
    owner: agent.grant.id,
    operation: "POST /v1/agent/bids",
    key: name,
    requestHash: requestHash(hashedBid(bid)),
  };
  const { grant, lineId } = agent;
  return { by: { grant: { ...grant, lineId } }, binding, ...bid };
}

/** The same advertiser in a browser that is signed in, without key or mandate. */
export async function inBrowser(
  { services }: Pick<BiddingWorld, "services">,
  { account }: Agent,
): Promise<{ by: Bidder; binding: null }> {
  const session = await saveSession(services, account.id);
  return { by: { account, session }, binding: null };
}

/** Its clock alone is asked, when a day is closed. */
function outOfReach(clock: Pick<ManualClock, "now">): Processor {
  return new Proxy({} as Processor, {
    get(_target, name) {
      if (name === "retrieveClock") return () => Promise.resolve(clock.now());
      throw new Error("No bid asks the processor");
    },
  });
}

/** An account ready to bid, by the name it has in a test. */
export function readyAccount(name: string): Account {
  return {
    id: `acc_${name}`,
    email: `${name}@example.com`,
    createdAtMs: 0,
    company: {
      name: `${name} GmbH`,
      country: "DE",
      vatId: "DE123456789",
      address: { line1: "Hauptstraße 1", city: "Berlin", postalCode: "10115" },
    },
    vatStatus: "valid",
    identityStatus: "verified",
    suspendedAtMs: null,
    disputeOpen: false,
    cardRefused: false,
    partner: false,
    paidWins: 0,
    processorCustomerId: `cus_${name}`,
    defaultPaymentMethodId: `pm_${name}`,
  };
}

/** An approved creative of that account. */
export function approvedCreative(name: string): Creative {
  return {
    adId: `ad_${name}`,
    accountId: `acc_${name}`,
    headline: `Headline of ${name}`,
    description: `What ${name} has to say about itself`,
    targetUrl: `https://${name}.example/`,
    state: "approved",
    createdAtMs: 0,
  };
}

const CLIENT_ID = "https://agent.example/client.json";

/** A client that the account has not connected: each agent is one of its own. */
async function newClientId(
  { store, ids }: Services,
  accountId: string,
): Promise<string> {
  const isKnown = await store.connections.find(accountId, CLIENT_ID) !== null;
  return isKnown ? ids.next("client") : CLIENT_ID;
}

/** An advertiser who is ready to bid, with an agent. */
export async function createAgent(
  services: Services,
  name: string,
  options: AdvertiserOptions = {},
): Promise<Agent> {
  const account = { ...readyAccount(name), ...options.account };
  const creative = { ...approvedCreative(name), ...options.creative };
  const cardId = `pm_${name}`;
  await services.store.transact((tx) => {
    tx.accounts.save(account);
    tx.creatives.save(creative);
    tx.paymentMethods.save({
      id: cardId,
      accountId: account.id,
      brand: "visa",
      last4: "4242",
      expMonth: 12,
      expYear: 2030,
      createdAtMs: 0,
    });
  });
  const created = await createGrant(services, {
    accountId: account.id,
    clientId: options.clientId ?? await newClientId(services, account.id),
    scopes: options.scopes ?? BID_SCOPES,
    mandate: {
      maxBidCents: 100_000,
      dailyCapCents: 1_000_000,
      validUntilMs: services.clock.now() + 30 * DAY_MS,
      ...options.mandate,
    },
  });
  const { grant, lineId, accessToken, refreshToken } = created;
  const { adId } = creative;
  return { account, adId, cardId, grant, lineId, accessToken, refreshToken };
}
