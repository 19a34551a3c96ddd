/**
 * What the simulator's tests share: a simulator on a free port, the real SDK
 * talking to it, a clock and timers that move when told to.
 *
 * @module
 */

import Stripe from "stripe";
import {
  type GrantedToken,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from "../../../simulators/stripe/mod.ts";

/** The key of every test. */
export const SECRET_KEY = "sk_test_simulator";

/** A clock that stands until it is moved. */
export class Clock {
  /** Epoch milliseconds. */
  nowMs: number = Date.UTC(2026, 10, 20, 12);

  /** Moves the clock on. */
  advance(ms: number): void {
    this.nowMs += ms;
  }
}

/** Timers that run when told to. */
export class Timers {
  /** Milliseconds of every timer ever set, in order. */
  readonly delays: number[] = [];
  #waiting = new Set<() => void>();

  /** Sets a timer. */
  readonly schedule = (ms: number, run: () => void): () => void => {
    this.delays.push(ms);
    this.#waiting.add(run);
    return () => this.#waiting.delete(run);
  };

  /** How many timers wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Runs every timer that waits. */
  fire(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const run of waiting) run();
  }
}

/** What a test is given. */
export interface Bench {
  sim: Simulator;
  stripe: Stripe;
  clock: Clock;
  timers: Timers;
  /** Stops the simulator and starts another over the same books. */
  restart(): Promise<void>;
}

/** Runs a test against a simulator of its own. */
export async function withSimulator(
  run: (bench: Bench) => Promise<void>,
  options: Partial<SimulatorOptions> = {},
): Promise<void> {
  const clock = new Clock();
  const timers = new Timers();
  const start = (): Promise<Simulator> =>
    startSimulator({
      hostname: "127.0.0.1",
      port: 0,
      booksPath: null,
      secretKey: SECRET_KEY,
      webhook: null,
      now: () => clock.nowMs,
      random: seeded(1),
      schedule: timers.schedule,
      ...options,
    });
  const sim = await start();
  const bench: Bench = {
    sim,
    stripe: sdk(sim.port),
    clock,
    timers,
    async restart() {
      await bench.sim.stop();
      bench.sim = await start();
      bench.stripe = sdk(bench.sim.port);
    },
  };
  try {
    await run(bench);
  } finally {
    await bench.sim.stop();
  }
}

/** The SDK as the service uses it: no retries of its own. */
export function sdk(port: number, apiKey: string = SECRET_KEY): Stripe {
  return new Stripe(apiKey, {
    host: "127.0.0.1",
    port,
    protocol: "http",
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: 10_000,
  });
}

/** A version of the API that knows shared payment tokens. */
export const PREVIEW = { apiVersion: "2026-04-22.preview" };

/** What a buyer's agent allows; EUR 1 in all, with a card that works. */
export interface Grant {
  card?: string;
  customer?: string;
  currency?: string;
  maxAmount?: number;
  /** Epoch seconds. */
  expiresAt?: number;
}

/** A shared payment token, granted as the test helper of the API does it. */
export async function grantToken(
  stripe: Stripe,
  { card, customer, currency, maxAmount, expiresAt }: Grant = {},
): Promise<GrantedToken> {
  return await stripe.rawRequest(
    "POST",
    "/v1/test_helpers/shared_payment/granted_tokens",
    {
      payment_method: card ?? "pm_card_visa",
      ...(customer === undefined ? {} : { customer }),
      usage_limits: {
        currency: currency ?? "eur",
        max_amount: maxAmount ?? 100,
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
      },
    },
    PREVIEW,
  ) as unknown as GrantedToken;
}

/** The token as the seller sees it now. */
export async function seeToken(
  stripe: Stripe,
  id: string,
): Promise<GrantedToken> {
  return await stripe.rawRequest(
    "GET",
    `/v1/shared_payment/granted_tokens/${id}`,
    undefined,
    PREVIEW,
  ) as unknown as GrantedToken;
}

/** Takes a token back as the buyer's agent would. */
export async function revokeToken(
  stripe: Stripe,
  id: string,
): Promise<GrantedToken> {
  return await stripe.rawRequest(
    "POST",
    `/v1/test_helpers/shared_payment/granted_tokens/${id}/revoke`,
    {},
    PREVIEW,
  ) as unknown as GrantedToken;
}

/** Charges a token by the parameter that is current; EUR 1 unless said. */
export async function chargeToken(
  stripe: Stripe,
  token: string,
  params: Partial<Stripe.PaymentIntentCreateParams> = {},
  options: Stripe.RequestOptions = {},
): Promise<Stripe.Response<Stripe.PaymentIntent>> {
  return await stripe.paymentIntents.create({
    amount: 100,
    currency: "eur",
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: "never" },
    // The types of the pinned SDK do not know the token yet.
    payment_method_data: { shared_payment_granted_token: token } as never,
    ...params,
  }, { ...PREVIEW, ...options });
}

/** Every fault of a payment that ends by itself, for sequences of any kind. */
export const PAYMENT_FAULTS = [
  "error_after_effect",
  "error_before_effect",
  "reset_after_effect",
  "reset_before_effect",
  "lock_timeout",
  "decline",
  "requires_action",
  "processing",
] as const;

/** The error a call is refused with. */
export async function refusal(
  call: Promise<unknown>,
): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error("The call was not refused");
}

/** A customer with a card that works, and that card. */
export async function payer(
  stripe: Stripe,
  card = "pm_card_visa",
): Promise<{ customer: string; card: string }> {
  const { id } = await stripe.customers.create({ name: "Acme GmbH" });
  const method = await stripe.paymentMethods.attach(card, { customer: id });
  return { customer: id, card: method.id };
}

/** A draft over one inclusive amount. */
export async function draftOver(
  stripe: Stripe,
  customer: string,
  amount: number,
): Promise<Stripe.Invoice> {
  const { id } = await stripe.invoices.create({
    customer,
    auto_advance: false,
    collection_method: "charge_automatically",
    currency: "eur",
    pending_invoice_items_behavior: "exclude",
  });
  await stripe.invoiceItems.create({
    customer,
    invoice: id,
    amount,
    currency: "eur",
    tax_behavior: "inclusive",
    description: "Spotlight of 2026-11-20",
  });
  return await stripe.invoices.retrieve(id);
}

/** An open invoice over one inclusive amount. */
export async function openOver(
  stripe: Stripe,
  customer: string,
  amount: number,
): Promise<Stripe.Invoice> {
  const draft = await draftOver(stripe, customer, amount);
  return await stripe.invoices.finalizeInvoice(draft.id);
}

/** Whether the SDK was told that a saved result was replayed. */
export function isReplay(object: { lastResponse: unknown }): boolean {
  const { headers } = object.lastResponse as { headers: Headers };
  return headers.get("idempotent-replayed") === "true";
}

/** A raw request, for what the SDK never sends. */
export function raw(
  sim: Simulator,
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(sim.url + path, {
    method,
    headers: {
      authorization: `Bearer ${SECRET_KEY}`,
      ...(body === undefined
        ? {}
        : { "content-type": "application/x-www-form-urlencoded" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}

/** A repeatable source of chance (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
