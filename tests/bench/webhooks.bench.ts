import { createStripeClient } from "../../adapters/stripe/stripe_client.ts";
import { type Simulator, startSimulator } from "../../simulators/stripe/mod.ts";
import { Connection } from "../../tools/bench/load/connection.ts";
import { freePort, Server } from "../../tools/bench/processes.ts";
import { percentile } from "../../tools/bench/statistics.ts";
import type {
  Contest,
  Round,
  Sample,
  Suite,
  Target,
} from "../../tools/bench/suite.ts";
import { eventPayload, signatureOf } from "../support/stripe_event.ts";
import {
  purchaseIdOf,
  type WebhooksReport,
  type WebhooksServerOptions,
} from "./webhooks_server.ts";

/** What each purchase is told of, in an order that means nothing. */
const TYPES = [
  "payment_intent.created",
  "payment_intent.requires_action",
  "payment_intent.processing",
  "payment_intent.succeeded",
] as const;
const PURCHASES = 1_250;
const EVENTS = PURCHASES * TYPES.length;
/** How often each event is delivered. */
const DELIVERIES_EACH = 3;
const CONNECTIONS = 64;
const SECRET_KEY = "sk_test_bench";
const WEBHOOK_SECRET = "whsec_bench";
const SERVER = new URL("./webhooks_server.ts", import.meta.url).href;
/** Pause between two looks at whether all is done, ms. */
const POLL_MS = 50;
/** All of it has to be done by then, ms. */
const DONE_WITHIN_MS = 120_000;

const LINES = {
  memory: "events processed, store in memory",
  file: "events processed, store in a file",
} as const;

/** Events delivered at once, shuffled and each three times. */
export const webhooks: Suite = {
  name: "webhooks",
  title:
    `${EVENTS} events of the processor at once, shuffled, each three times`,
  prepare: () => Promise.resolve(contest),
};

const contest: Contest = {
  async warmUp() {},
  async playRound(): Promise<Round> {
    const folder = await Deno.makeTempDir({ prefix: "webhooks-bench-" });
    try {
      return new Map([
        [LINES.memory, await measure(folder, ":memory:")],
        [LINES.file, await measure(folder, `${folder}/kv.sqlite3`)],
      ]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
  targets: Object.values(LINES).map((name): Target => ({
    name,
    unit: "/s",
    atLeast: 500,
    of: (round) => round.get(name)?.perSecond ?? NaN,
  })),
  notes: [
    "From the first delivery to the last event done. Times are those of a " +
    "delivery's answer; CPU is that of an event, its three deliveries and its " +
    "share of a look.",
    "A look asks the simulator, in the generator's process, for the payment " +
    "once; the first writes the purchase and its entry in the books.",
    "Every round checks that each event is done after exactly one look and " +
    "that each purchase is booked once.",
  ],
};

async function measure(folder: string, storePath: string): Promise<Sample> {
  await using stack = new AsyncDisposableStack();
  const simulator = await startSimulator({
    hostname: "127.0.0.1",
    port: 0,
    booksPath: null,
    secretKey: SECRET_KEY,
    webhook: null,
    now: () => Date.now(),
    random: Math.random,
  });
  stack.defer(() => simulator.stop());
  const intents = await payAll(simulator);
  const intentsPath = `${folder}/intents.json`;
  await Deno.writeTextFile(intentsPath, JSON.stringify(intents));
  const port = freePort();
  const options: WebhooksServerOptions = {
    port,
    storePath,
    processorUrl: simulator.url,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    intentsPath,
    events: EVENTS,
  };
  const server = stack.use(
    await Server.start({
      command: Deno.execPath(),
      args: ["run", "-A", SERVER, JSON.stringify(options)],
      port,
      readyPath: "/.well-known/oauth-authorization-server",
    }),
  );
  await askBench(port, "POST");
  return await deliverAll(server, await deliveriesOf(port, intents));
}

/** Pays every purchase at the processor, which the service does not know yet. */
async function payAll(simulator: Simulator): Promise<string[]> {
  const { paymentIntents } = createStripeClient({
    secretKey: SECRET_KEY,
    apiBase: simulator.url,
  });
  const intents: string[] = [];
  for (let nth = 0; nth < PURCHASES; nth++) {
    const { id } = await paymentIntents.create({
      amount: 100,
      currency: "eur",
      confirm: true,
      payment_method: "pm_card_visa",
      automatic_payment_methods: { enabled: true, allow_redirects: "never" },
      metadata: { purpose: "metrics", payment_id: purchaseIdOf(nth) },
    });
    intents.push(id);
  }
  return intents;
}

/** The requests, shuffled, as they go over the wire. */
async function deliveriesOf(
  port: number,
  intents: readonly string[],
): Promise<Uint8Array[]> {
  const encoder = new TextEncoder();
  const requests: Uint8Array[] = [];
  for (let nth = 0; nth < EVENTS; nth++) {
    const body = JSON.stringify(
      eventPayload(TYPES[nth % TYPES.length] ?? TYPES[0], {
        id: `evt_${nth}`,
        object: {
          id: intents[Math.floor(nth / TYPES.length)] ?? "",
          object: "payment_intent",
        },
      }),
    );
    const signature = await signatureOf(body, WEBHOOK_SECRET, Date.now());
    const request = encoder.encode(
      `POST /webhooks/stripe HTTP/1.1\r\nHost: localhost:${port}\r\n` +
        `Content-Type: application/json\r\nStripe-Signature: ${signature}\r\n` +
        `Content-Length: ${encoder.encode(body).length}\r\n\r\n${body}`,
    );
    for (let copy = 0; copy < DELIVERIES_EACH; copy++) requests.push(request);
  }
  return shuffled(requests);
}

function shuffled<T>(values: readonly T[]): T[] {
  return values.map((value) => ({ value, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at).map(({ value }) => value);
}

async function deliverAll(
  server: Server,
  requests: readonly Uint8Array[],
): Promise<Sample> {
  const { port } = server;
  const tookMs: number[] = [];
  const queue = requests.values();
  const startMs = performance.now();
  const cpuBeforeMs = server.cpuMs() ?? NaN;
  const client = async () => {
    using connection = await Connection.open(port);
    for (const request of queue) {
      const askedMs = performance.now();
      const { status } = await connection.ask(request);
      if (status !== 200) throw new Error(`A delivery was answered ${status}`);
      tookMs.push(performance.now() - askedMs);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  const report = await untilDone(port);
  const seconds = (performance.now() - startMs) / 1_000;
  check(report);
  return {
    perSecond: EVENTS / seconds,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
    cpuUs: ((server.cpuMs() ?? NaN) - cpuBeforeMs) * 1_000 / EVENTS,
  };
}

async function untilDone(port: number): Promise<WebhooksReport> {
  const untilMs = performance.now() + DONE_WITHIN_MS;
  for (;;) {
    const report = await askBench(port, "GET");
    const isOver = performance.now() > untilMs;
    if (report.done === EVENTS || isOver) return report;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function askBench(
  port: number,
  method: "GET" | "POST",
): Promise<WebhooksReport> {
  const answer = await fetch(`http://localhost:${port}/bench`, { method });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  return await answer.json();
}

function check(report: WebhooksReport): void {
  const { done, once, settled, booked } = report;
  const wanted = [EVENTS, EVENTS, PURCHASES, PURCHASES];
  if ([done, once, settled, booked].join() === wanted.join()) return;
  throw new Error(`Events were lost or repeated: ${JSON.stringify(report)}`);
}
