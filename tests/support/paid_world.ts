import { startTimer } from "../../adapters/time/system_time.ts";
/**
 * Payers of click figures over HTTP 402: the public API over a real store, the
 * real `stripe` package and the simulator, asked without a network.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type Stripe from "stripe";
import type { Day } from "../../domain/day.ts";
import type { LedgerEntry } from "../../domain/ledger/entry.ts";
import { metricsConsequences } from "../../domain/checkout/metrics_consequences.ts";
import type { MetricsPayment } from "../../domain/paid_metrics/metrics_payment.ts";
import { settlePayments } from "../../domain/paid_metrics/settle_payments.ts";
import type { Services } from "../../domain/ports.ts";
import { createRateLimiter } from "../../domain/rate_limit/create_rate_limiter.ts";
import { PublicRecords } from "../../domain/spotlights/public_records.ts";
import { removeSpotlight } from "../../domain/spotlights/remove_spotlight.ts";
import { EMBEDDED_LANES, rateBuckets } from "../../kv/rate_buckets.ts";
import { renderPublic } from "../../routes/errors/public_surface.ts";
import { type HostApp, routeTable } from "../../routes/route_table.ts";
import { metricsRoutes } from "../../routes/site/api/metrics.ts";
import { publicApi } from "../../routes/site/api/public_api.ts";
import {
  type Grant as TokenGrant,
  grantToken,
} from "../simulators/stripe/support.ts";
import {
  type AuctionWorld,
  type AuctionWorldOptions,
  openAuctionWorld,
} from "./auction_world.ts";
import { askHost, bindings } from "./bindings.ts";
import { seen } from "./captured_logs.ts";
import { dayText, settle, settledDays } from "./public_spotlights.ts";

/** The day most purchases are about, and the one before it. */
export const DAY: Day = dayText("2026-11-19");
/** Another day whose figures are on sale. */
export const OTHER_DAY: Day = dayText("2026-11-18");

/** Whom the tests pay. */
export const PROFILE_ID = "profile_test_simulator";

/** What a request may say. */
export interface AskOptions {
  day?: string;
  /** The whole Authorization header. */
  authorization?: string | undefined;
  /** The Idempotency-Key. */
  key?: string | undefined;
  method?: string;
  /** The client's address; another one each time when left out. */
  from?: string;
}

/** Asks one process for the figures of a day. */
export type Ask = (options?: AskOptions) => Promise<Response>;

/** A challenge as a client reads it. */
export type SeenChallenge = Record<string, string>;

/** The world of one test. */
export interface PaidWorld extends AsyncDisposable {
  world: AuctionWorld;
  services: Services;
  ask: Ask;
  /** Another process over the same store and processor. */
  asking(services: Services): Promise<Ask>;
  /** A shared payment token; by default it would pay several reports. */
  token(grant?: TokenGrant): Promise<string>;
  /** What the processor did for us, by amounts. */
  taken(): Promise<{ charged: number[]; refunded: number[] }>;
  /** The row of a challenge. */
  payment(challenge: SeenChallenge): Promise<MetricsPayment | null>;
  ledger(): Promise<LedgerEntry[]>;
  /** What the job does, every so often for so long; once when left out. */
  sweep(span?: { minutes: number; everyMinutes?: number }): Promise<void>;
  /** Removes a day as an operator does; every process hears of it. */
  remove(day: Day): Promise<void>;
}

/** Opens a world on which the days before its own have settled. */
export async function openPaidWorld(
  options: AuctionWorldOptions = {},
): Promise<PaidWorld> {
  const world = await openAuctionWorld(options);
  const { services, clock, testStore, stripe } = world;
  await settle(services.store, ...settledDays(3));
  const limiter = createRateLimiter({
    rows: rateBuckets(testStore.realKv, {
      lanes: options.lanes ?? EMBEDDED_LANES,
      nowMs: () => clock.now(),
    }),
    clock,
    startTimer,
    hashId: (text) => text,
  });
  const all: PublicRecords[] = [];
  const { baseUrl } = services.settings;
  const asking = async (own: Services): Promise<Ask> => {
    const records = new PublicRecords({
      store: own.store,
      log: own.log,
      baseUrl,
    });
    await records.refresh();
    all.push(records);
    const routing = { services: own, limiter, trustedProxyHops: 0, records };
    const operations = metricsRoutes({
      ...routing,
      profileId: PROFILE_ID,
    });
    const host = routeTable(own, [
      publicApi({ ...routing, operations }),
      { prefix: "", routes: [], answers: { refused: renderPublic } },
    ]);
    return asker(host, baseUrl);
  };
  return {
    world,
    services,
    ask: await asking(services),
    asking,
    async token(grant) {
      const { id } = await grantToken(stripe, { maxAmount: 500, ...grant });
      seen.add("payment credential", id);
      return id;
    },
    taken: () => takenOf(stripe),
    payment: ({ id = "" }) => services.store.metricsPayments.find(id),
    ledger: () => services.store.listLedger({ limit: 100 }),
    async sweep({ minutes, everyMinutes = 1 } = { minutes: 0 }) {
      for (let passed = 0;; passed += everyMinutes) {
        await settlePayments(services, metricsConsequences(services));
        if (passed >= minutes) return;
        clock.advance(everyMinutes * 60_000);
      }
    },
    async remove(day) {
      await removeSpotlight(services, { day, reason: "policy" });
      await Promise.all(all.map((records) => records.refreshNow()));
    },
    async [Symbol.asyncDispose]() {
      await limiter.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

async function takenOf(
  { charges, refunds }: Stripe,
): Promise<{ charged: number[]; refunded: number[] }> {
  const { data: attempts } = await charges.list({ limit: 100 });
  const { data: given } = await refunds.list({ limit: 100 });
  return {
    charged: attempts.filter(({ paid }) => paid).map(({ amount }) => amount),
    refunded: given.map(({ amount }) => amount),
  };
}

let clients = 0;

function asker(host: HostApp, baseUrl: string): Ask {
  return (options = {}) => {
    const { day = DAY, authorization, key, method = "GET" } = options;
    const { from = `10.0.${clients >> 8}.${clients++ & 255}` } = options;
    const headers = new Headers();
    if (authorization !== undefined) {
      headers.set("authorization", authorization);
    }
    if (key !== undefined) headers.set("idempotency-key", key);
    const url = `${baseUrl}/api/v1/spotlights/${day}/metrics`;
    return askHost(host, url, { method, headers }, bindings(from));
  };
}

/** Reads the parameters of `WWW-Authenticate` as a client does. */
export function challengeIn(answer: Response): SeenChallenge {
  const header = answer.headers.get("www-authenticate") ?? "";
  const [scheme] = header.split(" ", 1);
  assertEquals(scheme, "Payment");
  const parameters = header.matchAll(/([a-z]+)="((?:[^"\\]|\\.)*)"/g);
  return Object.fromEntries(
    [...parameters].map(([, name = "", value = ""]) => [
      name,
      value.replace(/\\(.)/g, "$1"),
    ]),
  );
}

/** Asks for a challenge. */
export async function challengeOf(
  ask: Ask,
  day: string = DAY,
): Promise<SeenChallenge> {
  const answer = await ask({ day });
  assertEquals(answer.status, 402);
  return challengeIn(answer);
}

/** The Authorization header that answers a challenge. */
export function credential(
  challenge: Record<string, unknown>,
  payload: unknown,
): string {
  return `Payment ${encode({ challenge, payload })}`;
}

/** base64url of JSON. */
export function encode(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const binary = String.fromCharCode(...bytes);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_")
    .replaceAll("=", "");
}

/** What base64url of JSON says. */
export function decode(text: string): unknown {
  return JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/")));
}

/** A challenge and the credential that pays it. */
export async function offer(
  shop: Pick<PaidWorld, "ask" | "token">,
  { day = DAY, token }: { day?: Day; token?: string } = {},
): Promise<{ challenge: SeenChallenge; authorization: string }> {
  const challenge = await challengeOf(shop.ask, day);
  const spt = token ?? await shop.token();
  return { challenge, authorization: credential(challenge, { spt }) };
}

/** Sells a report and hands it over; answers the id of its purchase. */
export async function sold(shop: PaidWorld): Promise<string> {
  const { challenge, authorization } = await offer(shop);
  const answer = await shop.ask({ authorization });
  assertEquals(answer.status, 200);
  await answer.body?.cancel();
  return challenge["id"] ?? "";
}

/** Somebody charges a card once more for the same purchase. */
export async function payAgain(
  shop: PaidWorld,
  paymentId: string,
): Promise<string> {
  const { id } = await shop.world.stripe.paymentIntents.create({
    amount: 100,
    currency: "eur",
    confirm: true,
    payment_method: "pm_card_visa",
    automatic_payment_methods: { enabled: true, allow_redirects: "never" },
    metadata: { purpose: "metrics", payment_id: paymentId },
  });
  return id;
}

/** Status and the last part of the problem's type; empty for a success. */
export async function outcomeOf(answer: Response): Promise<string> {
  const text = await answer.text();
  if (answer.status === 200) return "200";
  const { type } = JSON.parse(text);
  return `${answer.status} ${String(type).split("/").at(-1)}`;
}

/** Asks, and checks how it came out; see {@linkcode outcomeOf}. */
export async function expectOutcome(
  ask: Ask,
  options: AskOptions,
  outcome: string,
): Promise<void> {
  assertEquals(await outcomeOf(await ask(options)), outcome);
}
