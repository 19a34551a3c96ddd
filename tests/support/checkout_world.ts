import { startTimer } from "../../adapters/time/system_time.ts";
/**
 * Agents that buy reports: the checkout over a real store, the real `stripe`
 * package and the simulator, asked without a network.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { JOBS } from "../../cron/jobs.ts";
import type { Merchant } from "../../domain/checkout/merchant.ts";
import { createGrant } from "../../tools/demo/create_grant.ts";
import type { Grant, Scope } from "../../domain/oauth/grant.ts";
import { newAccount } from "../../domain/accounts/new_account.ts";
import type { Processor } from "../../domain/payments/processor.ts";
import type { Services } from "../../domain/ports.ts";
import { createStripeClient } from "../../adapters/stripe/stripe_client.ts";
import { createStripeProcessor } from "../../adapters/stripe/stripe_processor.ts";
import type { FaultyKv } from "./faulty_kv.ts";
import { createRateLimiter } from "../../domain/rate_limit/create_rate_limiter.ts";
import { EMBEDDED_LANES, rateBuckets } from "../../kv/rate_buckets.ts";
import { renderPublic } from "../../routes/errors/public_surface.ts";
import { type HostApp, routeTable } from "../../routes/route_table.ts";
import { checkoutSurface } from "../../routes/site/checkout/checkout_surface.ts";
import {
  type Grant as TokenGrant,
  grantToken,
} from "../simulators/stripe/support.ts";
import { assertAcp } from "./acp_schema.ts";
import {
  type AuctionWorld,
  type AuctionWorldOptions,
  openAuctionWorld,
  SECRET_KEY,
} from "./auction_world.ts";
import { askHost, bindings } from "./bindings.ts";
import { seen } from "./captured_logs.ts";
import { settle, settledDays } from "./public_spotlights.ts";

/** Days with a report: the three before the world's own. */
export const DAYS = ["2026-11-17", "2026-11-18", "2026-11-19"] as const;

/** The day most sessions are about. */
export const DAY = DAYS[2];

/** The request that takes the money. */
export const CHARGE = { method: "POST", path: "/v1/payment_intents" } as const;

/** Whom the tests' sessions pay. */
export const MERCHANT: Merchant = {
  profileId: "profile_test_simulator",
  environment: "test",
};

/** An agent with its token. */
export interface Buyer {
  grant: Grant;
  accessToken: string;
}

/** What a request may say. */
export interface AskOptions {
  method?: string;
  /** Whose token is sent; none when left out. */
  as?: Buyer | undefined;
  /** Headers that replace the ordinary ones; null leaves one out. */
  headers?: Readonly<Record<string, string | null>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: BodyInit;
  key?: string;
}

/** Asks one process for a path of the site. */
export type Ask = (path: string, options?: AskOptions) => Promise<Response>;

/** The world of one test. */
export interface CheckoutWorld extends AsyncDisposable {
  world: AuctionWorld;
  /** With a processor that is waited for as long as in production. */
  services: Services;
  /** With one that is given up after a moment. */
  impatient: Services;
  ask: Ask;
  /** The checkout of another process. */
  asking(services: Services): Ask;
  /** Another process over the same store and processor. */
  another(wrap?: (processor: Processor) => Processor): {
    services: Services;
    kv: FaultyKv;
  };
  buyer(name: string, scopes?: readonly Scope[]): Promise<Buyer>;
  /** A shared payment token; by default it pays one report. */
  token(grant?: TokenGrant): Promise<string>;
  /** Payments that took money, by their metadata, oldest first. */
  paid(): Readonly<Record<string, string>>[];
  /** The cents that were given back, one entry a refund. */
  refunded(): number[];
  /** What the background job does: looks into payments nobody waits for. */
  sweep(): Promise<void>;
}

/** Opens a world on which the three {@linkcode DAYS} have settled. */
export async function openCheckoutWorld(
  options: AuctionWorldOptions = {},
): Promise<CheckoutWorld> {
  const world = await openAuctionWorld(options);
  const { clock, testStore, stripe } = world;
  const { control } = world.simulator;
  // The tests' own client: slow machines don't make payments uncertain.
  const apiBase = world.simulator.url;
  const client = createStripeClient({ secretKey: SECRET_KEY, apiBase });
  const processor = createStripeProcessor(client);
  const services: Services = { ...world.services, processor };
  await settle(services.store, ...settledDays(DAYS.length));
  const limiter = createRateLimiter({
    rows: rateBuckets(testStore.realKv, {
      lanes: options.lanes ?? EMBEDDED_LANES,
      nowMs: () => clock.now(),
    }),
    clock,
    startTimer,
    hashId: (text) => text,
  });
  const asking = (own: Services): Ask => {
    const parts = { services: own, limiter, trustedProxyHops: 0 };
    const host = routeTable(own, [
      checkoutSurface({ ...parts, merchant: MERCHANT }),
      { prefix: "", routes: [], answers: { refused: renderPublic } },
    ]);
    return (path, options) => send(host, services, path, options);
  };
  return {
    world,
    services,
    impatient: world.services,
    another: (wrap = (same) => same) => world.another(() => wrap(processor)),
    ask: asking(services),
    asking,
    buyer: (name, scopes) => newBuyer(services, name, scopes),
    async token(grant) {
      const { id } = await grantToken(stripe, grant);
      seen.add("payment credential", id);
      return id;
    },
    paid: () =>
      control.objects("payment_intent")
        .filter(({ amount_received: taken }) => taken > 0)
        .map(({ metadata }) => metadata),
    refunded: () => control.objects("refund").map(({ amount }) => amount),
    sweep: () => JOBS.settlePayments.run(services),
    async [Symbol.asyncDispose]() {
      await limiter.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** An account with an agent that may buy reports for it. */
export async function newBuyer(
  services: Services,
  name: string,
  scopes: readonly Scope[] = ["account:read"],
): Promise<Buyer> {
  const account = newAccount(`acc_${name}`, `${name}@example.com`, 0);
  await services.store.transact((tx) => tx.accounts.save(account));
  const { grant, accessToken } = await createGrant(services, {
    accountId: account.id,
    clientId: "https://agent.example/client.json",
    scopes,
    mandate: null,
  });
  return { grant, accessToken };
}

async function send(
  host: HostApp,
  { settings }: Services,
  path: string,
  options: AskOptions = {},
): Promise<Response> {
  const { method, as, body, raw, key } = options;
  const sent = raw ?? (body === undefined ? null : JSON.stringify(body));
  const headers = new Headers({ "api-version": "2026-04-17" });
  if (as) headers.set("authorization", `Bearer ${as.accessToken}`);
  if (sent !== null) headers.set("content-type", "application/json");
  if (key !== undefined) headers.set("idempotency-key", key);
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const init: RequestInit = {
    method: method ?? (sent === null ? "GET" : "POST"),
    headers,
    body: sent,
  };
  const url = `${settings.baseUrl}${path}`;
  const answer = await askHost(host, url, init, bindings());
  await checkShape(path, answer.clone());
  return answer;
}

/** Holds every answer that any test gets against the protocol's schema. */
async function checkShape(path: string, answer: Response): Promise<void> {
  const text = await answer.text();
  const isJson = answer.headers.get("content-type") === "application/json";
  if (!isJson || text === "") return;
  const body = JSON.parse(text);
  // RFC 6750 has errors of its own.
  if (answer.headers.has("www-authenticate")) return;
  if (answer.status >= 400) assertAcp("Error", body);
  else if (path.endsWith("/resource")) {
    assertEquals(Object.keys(body).length, 2);
  } else if (body.status === "completed") {
    assertAcp("CheckoutSessionWithOrder", body);
  } else assertAcp("CheckoutSession", body);
}
