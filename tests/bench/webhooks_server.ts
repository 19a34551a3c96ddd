/**
 * The whole service in a process of its own, for the benchmark of webhooks: over
 * a store in memory or in a file, with purchases of figures that nobody knows
 * the outcome of yet. `GET /bench` tells what became of the events.
 *
 * Its only argument is JSON, {@linkcode WebhooksServerOptions}.
 *
 * @module
 */
import { parseConfig } from "../../config/config.ts";
import { addDays, dayOf } from "../../domain/day.ts";
import { beginCharge } from "../../domain/paid_metrics/charge.ts";
import type { Services } from "../../domain/ports.ts";
import { WEBHOOK_LEASE_MS } from "../../domain/webhooks/webhook_event.ts";
import { openKv } from "../../kv/open.ts";
import { route } from "../../routes/route_table.ts";
import { stopOnSignal } from "../../app/serve.ts";
import { startService } from "../../app/service.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";

/** What the process is started with. */
export interface WebhooksServerOptions {
  port: number;
  /** A file, or `:memory:`. */
  storePath: string;
  processorUrl: string;
  secretKey: string;
  webhookSecret: string;
  /** Where the ids of the processor's payments are, JSON, a list. */
  intentsPath: string;
  /** Events that will be delivered: `evt_0` and so on. */
  events: number;
}

/** What became of the events, and of what they are about. */
export interface WebhooksReport {
  /** Whether an event is left that was stored and not looked into. */
  waiting: boolean;
  /** Events that are done; only told once none waits. */
  done: number;
  /** Of those, the ones that took exactly one look. */
  once: number;
  /** Purchases whose money is known to be there, and in the books. */
  settled: number;
  booked: number;
}

if (import.meta.main) await main(JSON.parse(Deno.args[0] ?? "{}"));

async function main(options: WebhooksServerOptions): Promise<void> {
  const service = await startService(
    parseConfig({
      ENVIRONMENT: "development",
      DATA_DIR: "unused",
      BASE_URL: "http://localhost:0",
      AUTH_URL: `http://localhost:${options.port}`,
      DOCS_MCP_URL: "http://localhost:0/mcp",
      SECRETS: crypto.randomUUID() + crypto.randomUUID(),
      STRIPE_API_BASE: options.processorUrl,
      STRIPE_SECRET_KEY: options.secretKey,
      STRIPE_WEBHOOK_SECRET: options.webhookSecret,
    }),
    {
      kv: await openKv(options.storePath),
      sink: () => Promise.resolve(),
      routes: () => ({
        auth: [
          route("GET", "/bench", async () => {
            const { services } = service.core;
            return Response.json(await reportOf(services, options));
          }),
          route("POST", "/bench", async () => {
            await savePurchases(service.core.services, options);
            return Response.json({});
          }),
        ],
      }),
    },
  );
  stopOnSignal(service.stop);
}

async function intentsOf(
  { intentsPath }: WebhooksServerOptions,
): Promise<string[]> {
  return JSON.parse(await Deno.readTextFile(intentsPath));
}

/** By which purchase and payment name each other. */
export function purchaseIdOf(nth: number): string {
  return `bench-${nth}`;
}

async function savePurchases(
  { store, clock }: Services,
  options: WebhooksServerOptions,
): Promise<void> {
  const now = clock.now();
  const day = addDays(dayOf(now), -1);
  await settle(store, spotlight(day));
  const rows = (await intentsOf(options)).map((intentId, nth) => ({
    ...beginCharge(null, {
      id: purchaseIdOf(nth),
      channel: "http_payment",
      day,
      token: `spt_bench_${nth}`,
      keyHash: null,
    }, now),
    intentId,
    leaseUntilMs: now,
    // The job does not take them: only the events do.
    dueAtMs: now + 86_400_000,
  }));
  for (let at = 0; at < rows.length; at += 100) {
    await store.transact((tx) => {
      rows.slice(at, at + 100).forEach((row) => tx.metricsPayments.save(row));
    });
  }
}

async function reportOf(
  services: Services,
  options: WebhooksServerOptions,
): Promise<WebhooksReport> {
  const { store, clock } = services;
  const afterLeases = clock.now() + WEBHOOK_LEASE_MS;
  // A few: what the index shows first may be done by the time it is read.
  const [next] = await store.listDue("events", afterLeases, { limit: 20 });
  const none = { waiting: true, done: 0, once: 0, settled: 0, booked: 0 };
  if (next !== undefined) return none;
  const events = await Promise.all(
    Array.from(
      { length: options.events },
      (_, n) => store.webhookEvents.find(`evt_${n}`),
    ),
  );
  const done = events.filter((event) => event?.state === "done");
  const intents = await intentsOf(options);
  const purchases = await Promise.all(
    intents.map((_, nth) => store.metricsPayments.find(purchaseIdOf(nth))),
  );
  const ledger = await store.listLedger({ limit: intents.length + 1 });
  return {
    waiting: false,
    done: done.length,
    once: done.filter((event) => event?.attempts === 1).length,
    settled: purchases.filter((one) => one?.state === "succeeded").length,
    booked: ledger.length,
  };
}
