/**
 * A whole service that the simulator tells what happens, over HTTP, with one
 * clock for both that is told.
 *
 * @module
 */
import { assert } from "@std/assert";
import type Stripe from "stripe";
import { jobs } from "../../cron/jobs.ts";
import { addDays, type Day } from "../../domain/day.ts";
import { runJob } from "../../domain/operations/run_job.ts";
import {
  askProcessor,
  beginCharge,
  recordCharge,
} from "../../domain/paid_metrics/charge.ts";
import type { Services } from "../../domain/ports.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { createStripeClient } from "../../adapters/stripe/stripe_client.ts";
import { type Simulator, startSimulator } from "../../simulators/stripe/mod.ts";
import { grantToken } from "../simulators/stripe/support.ts";
import { seen } from "./captured_logs.ts";
import { ManualClock } from "./clock.ts";
import { settle, spotlight, TEST_TODAY } from "./public_spotlights.ts";
import { type RunningService, runService } from "./running_service.ts";

const SECRET_KEY = "sk_test_told_service";
/** What the simulator signs with. */
export const TOLD_SECRET = "whsec_of_the_told_service";
/** The newest day whose figures are on sale. */
const SOLD = spotlight(addDays(TEST_TODAY, -1));

/** How the simulator and the service are set up. */
export interface ToldOptions {
  /** Decides about the simulator's faults, from 0 up to 1. */
  random?: () => number;
  env?: Record<string, string>;
  kv?: KvLike;
}

/** A service and the processor that tells it what happens. */
export interface ToldService extends AsyncDisposable {
  clock: ManualClock;
  running: RunningService;
  services: Services;
  simulator: Simulator;
  /** The processor's own books. */
  stripe: Stripe;
  /** Where events are delivered. */
  url: string;
  /** Begins a purchase whose payment is processing; answers its intent. */
  buy(purchaseId: string): Promise<string>;
  /** Runs every background job once. */
  runJobs(): Promise<void>;
  /** Until every delivery was made and everything stored was looked into. */
  quiet(): Promise<void>;
}

/** Starts both; events are delivered several at once. */
export async function openToldService(
  options: ToldOptions = {},
): Promise<ToldService> {
  const clock = new ManualClock(`${TEST_TODAY}T08:00:00.000Z`);
  const simulator = await startSimulator({
    hostname: "127.0.0.1",
    port: 0,
    booksPath: null,
    secretKey: SECRET_KEY,
    webhook: null,
    now: () => clock.now(),
    random: options.random ?? (() => 0.5),
  });
  const running = await runService({
    clock,
    env: {
      STRIPE_API_BASE: simulator.url,
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: TOLD_SECRET,
      ...options.env,
    },
    ...options.kv && { kv: options.kv },
  });
  const { services } = running.service.core;
  const url = `${running.config.settings.authUrl}/webhooks/stripe`;
  const { webhooks } = simulator.control;
  webhooks.setTarget({ url, secret: TOLD_SECRET, concurrency: 16 });
  const apiBase = simulator.url;
  const stripe = createStripeClient({ secretKey: SECRET_KEY, apiBase });
  await settle(services.store, SOLD);
  return {
    clock,
    running,
    services,
    simulator,
    stripe,
    url,
    buy: (purchaseId) =>
      beginPurchase(services, simulator, { purchaseId, stripe, day: SOLD.day }),
    async runJobs() {
      for (const job of jobs) await runJob(services, job).catch(() => {});
    },
    quiet: () => quiet(services, simulator),
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await simulator.stop();
    },
  };
}

/**
 * What a request does that dies once the processor has been asked: a purchase
 * of a settled day's figures, whose payment is processing. Answers the
 * processor's id of the payment.
 */
export async function beginPurchase(
  services: Services,
  simulator: Simulator,
  { purchaseId, stripe, day }: { purchaseId: string; stripe: Stripe; day: Day },
): Promise<string> {
  const { id: token } = await grantToken(stripe);
  seen.add("payment credential", token);
  const { store, clock } = services;
  const asked = await store.transact((tx) => {
    const payment = beginCharge(null, {
      id: purchaseId,
      channel: "http_payment",
      day,
      token,
      keyHash: null,
    }, clock.now());
    tx.metricsPayments.save(payment);
    return payment;
  });
  simulator.control.addFault({ kind: "processing" });
  const answer = await askProcessor(services, asked, token);
  assert(answer !== null, "the lease still holds");
  const { intentId } = await store.transact((tx) =>
    recordCharge(tx, asked, answer, clock.now())
  );
  assert(intentId !== null, "the processor has a payment under way");
  return intentId;
}

async function quiet(services: Services, simulator: Simulator): Promise<void> {
  const { store, clock } = services;
  const until = performance.now() + 20_000;
  for (;;) {
    await simulator.control.webhooks.idle();
    const waiting = await store.listDue(
      "events",
      clock.now() + 60_000,
      { limit: 1_000 },
    );
    // A look that failed waits for its pause, and is nobody's for now.
    const due = waiting.filter((event) =>
      event.leaseOwner !== null || event.dueAtMs <= clock.now()
    );
    if (due.length === 0) return;
    assert(performance.now() < until, `${due.length} events are left`);
  }
}
