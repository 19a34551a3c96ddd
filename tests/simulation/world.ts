/**
 * A company's life in one process: the store in memory, the real `stripe`
 * package asking the simulator, whose notifications go to the real route, the
 * real jobs; only the clock and the dice are told.
 *
 * @module
 */
import { JOBS } from "../../cron/jobs.ts";
import { type Day, dayOf } from "../../domain/day.ts";
import type { Services } from "../../domain/ports.ts";
import type { Job } from "../../domain/operations/run_job.ts";
import { metricsConsequences } from "../../domain/checkout/metrics_consequences.ts";
import { settlePayments } from "../../domain/paid_metrics/settle_payments.ts";
import { archiveDocuments } from "../../domain/invoices/archive_documents.ts";
import { sweepEvents } from "../../domain/webhooks/sweep_events.ts";
import { WEBHOOK_HANDLERS } from "../../domain/webhooks/handlers.ts";
import type { Travel } from "../../adapters/stripe/stripe_client.ts";
import { createWebhookVerifier } from "../../adapters/stripe/webhook_verifier.ts";
import { bodyWaits } from "../../routes/http/body_waits.ts";
import { routeTable } from "../../routes/route_table.ts";
import { webhookSurface } from "../../routes/auth/webhooks/webhook_surface.ts";
import {
  type Advertiser,
  type AuctionWorld,
  openAuctionWorld,
} from "../support/auction_world.ts";
import { crashingProcessor } from "../support/crashing_processor.ts";
import { isCrash, MISHAPS } from "../support/faults.ts";
import type { Person } from "./person.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { Random } from "./random.ts";

/** A partnership that an operator ended. */
export interface Ending {
  partnerId: string;
  fromMs: number;
  /** When it was begun again; absent while it was not. */
  untilMs?: number;
}

/** What a partner was shown. */
export interface Shown {
  statements: number;
  payableCents: number;
  /** What was earned and not told after each statement: what a partner can't know. */
  restsCents: readonly number[];
}

const SECRET = "whsec_simulation";

/** What happened, for the end's check that a seed is not an empty story. */
export type Tally = Record<string, number>;

/** The world of one seed. */
export interface Life extends AsyncDisposable {
  random: Random;
  world: AuctionWorld;
  services: Services;
  advertisers: Advertiser[];
  /** Who signed up: the partners first, in the order they came. */
  people: Person[];
  /** How many signed up so far, those included whom a lost store knew. */
  came: number;
  /** Accounts whose owner called an erasure off. */
  kept: Set<string>;
  /** When which partnership was ended, and until when. */
  endings: Ending[];
  /** What each partner was shown when it last looked. */
  shown: Map<string, Shown>;
  /** The copies that were read. */
  copiesRead: Set<string>;
  /** Promises that were seen broken on the way, in words. */
  broken: string[];
  firstDay: Day;
  tally: Tally;
  /** Counts that something happened. */
  count(what: string): void;
  /**
   * Runs the jobs of one tick of cron, those of the night only then, in a
   * process that may die on the way. What fails is tried at the next tick, as
   * cron does.
   */
  tick(options?: Tick): Promise<void>;
  /** Lets the processor deliver what it has to tell. */
  deliver(): Promise<void>;
  /** Goes on with another store, of the same processor. */
  goOnWith(next: AuctionWorld): Promise<void>;
}

/** What a tick of cron is. */
export interface Tick {
  mayDie?: boolean;
  isNight?: boolean;
}

/** Cards and how often advertisers have them. */
const CARDS = [
  "pm_card_visa",
  "pm_card_visa",
  "pm_card_mastercard",
  "pm_card_mastercard",
  "pm_card_chargeCustomerFail",
  "pm_card_authenticationRequired",
] as const;

/**
 * Whether store and processor are `at hand`, within the turn of the event loop
 * that asks, or `outside`: Deno KV's threads and sockets. The life is the same.
 */
export type Reach = "at hand" | "outside";

/**
 * Opens the life of a seed.
 *
 * @param kv stands for the store, at hand
 */
export async function openLife(
  seed: number,
  reach: Reach,
  kv: KvLike | null = null,
): Promise<Life> {
  const random = new Random(seed);
  const isAtHand = reach === "at hand";
  const world = await openAuctionWorld({
    isAtHand,
    ...(kv === null ? {} : { kv }),
    startsAt: firstMoment(random),
    // Dice of its own: how often it throws them must not change the story.
    random: new Random(~seed).next,
    // Whoever wants a repeat asks for it, so that no timer decides.
    schedule: () => () => {},
    // Only what is kept back on purpose takes longer, so that a seed replays.
    callMs: 2_000,
    ...(isAtHand ? { travel: (...sent) => endpoint.answer(...sent) } : {}),
  });
  let endpoint = openEndpoint(world);
  world.simulator.control.webhooks.setTarget({
    url: endpoint.url,
    secret: SECRET,
  });
  world.simulator.control.webhooks.hold();
  const advertisers: Advertiser[] = [];
  for (const [nth, card] of CARDS.entries()) {
    advertisers.push(await world.advertiser(`adv${nth}`, card));
  }
  const tally: Tally = {};
  const count = (what: string) => {
    tally[what] = (tally[what] ?? 0) + 1;
  };
  const life: Life = {
    random,
    world,
    services: world.services,
    advertisers,
    people: [],
    came: 0,
    kept: new Set(),
    endings: [],
    shown: new Map(),
    copiesRead: new Set(),
    broken: [],
    firstDay: dayOf(world.clock.now()),
    tally,
    count,
    tick: (options) => tick(life, options),
    deliver: () => deliver(life),
    async goOnWith(next) {
      await endpoint.close();
      endpoint = openEndpoint(next);
      life.world = next;
      life.services = next.services;
      const { url } = endpoint;
      next.simulator.control.webhooks.setTarget({ url, secret: SECRET });
    },
    async [Symbol.asyncDispose]() {
      // The last of its stores, then the first with the processor.
      await life.world.testStore.close();
      await world[Symbol.asyncDispose]();
      await endpoint.close();
    },
  };
  return life;
}

/**
 * Some day early in January: lives differ in when a month is told, and of 60 days
 * some are left to be paid in.
 */
function firstMoment(random: Random): string {
  const day = String(random.between(5, 14)).padStart(2, "0");
  return `2026-01-${day}T00:00:00.000Z`;
}

/** The real route of the processor's notifications. */
interface Endpoint {
  url: string;
  /** Answers without a socket. */
  answer: Travel;
  close(): Promise<void>;
}

function openEndpoint(world: AuctionWorld): Endpoint {
  const { services, clock } = world;
  const surface = webhookSurface({
    services,
    verifier: createWebhookVerifier({
      secrets: [SECRET],
      nowMs: () => clock.now(),
    }),
    reception: { handlers: WEBHOOK_HANDLERS, livemode: false },
    // Looked into by the sweep alone, so that a seed replays.
    pump: { offer: () => {} },
  });
  const root = {
    prefix: "",
    routes: [],
    answers: surface.answers,
  };
  const app = routeTable(services, [surface, root]);
  const handle = async (request: Request) =>
    await app.fetch(request, {
      remoteAddress: "127.0.0.1",
      trace: { requestId: "simulation", route: "", grantId: null },
      bodies: bodyWaits(),
      hold() {},
      holdCopy: () => () => {},
    });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    handle,
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/webhooks/stripe`,
    answer: (url, init) => handle(new Request(url, init)),
    close: () => server.shutdown(),
  };
}

/**
 * Between deliveries everything is kept back: what was sent beside running jobs
 * came in between any two of their steps, and took its dice from those of the
 * next faults, so that no seed replayed where calls take their time.
 */
async function deliver({ world }: Life): Promise<void> {
  const { webhooks } = world.simulator.control;
  webhooks.release({ shuffle: true });
  webhooks.retryNow();
  await webhooks.idle();
  webhooks.hold();
}

async function tick(
  life: Life,
  { mayDie = false, isNight = false }: Tick = {},
): Promise<void> {
  const jobs = isNight ? { ...MONEY_JOBS, ...NIGHTLY } : MONEY_JOBS;
  const dies = mayDie && life.random.chance(0.15);
  if (dies) life.count("crash");
  await runJobs(life, dies ? dyingProcess(life) : life.services, jobs);
}

/** A process that dies around one of its next processor calls or commits. */
export function dyingProcess({ random, world }: Life): Services {
  const atCall = random.chance(0.5);
  const doomed = world.another((real) =>
    atCall
      ? crashingProcessor(
        real,
        {
          call: random.between(1, 12),
          when: random.pick(["before", "after"]),
        },
        () => doomed.kv.crash(),
      )
      : real
  );
  if (!atCall) {
    const commit = random.between(1, 15);
    doomed.kv.crashAt({ commit, when: random.pick(MISHAPS) });
  }
  return doomed.services;
}

/**
 * Every job that has to do with money, as cron runs them, but one object after
 * the other, so that a seed replays.
 */
const MONEY_JOBS: Readonly<Record<string, Job["run"]>> = {
  "advance auctions": JOBS.advanceAuctions.run,
  "look into webhook events": (services) =>
    sweepEvents({
      services,
      handlers: WEBHOOK_HANDLERS,
      startTimer: () => () => {},
      lanes: 1,
    }),
  "refund invoices": JOBS.refundInvoices.run,
  "settle payments": (services) =>
    settlePayments(services, metricsConsequences(services), 1),
  "archive documents": (services) => archiveDocuments(services, 1),
  "advance commissions": JOBS.advanceCommissions.run,
  "send payouts": JOBS.sendPayouts.run,
  "fulfil data requests": JOBS.fulfilRequests.run,
};

/** The same of those that cron runs once a night, as they look at everything. */
const NIGHTLY: typeof MONEY_JOBS = { "reconcile money": JOBS.reconcile.run };

async function runJobs(
  life: Life,
  services: Services,
  jobs: typeof MONEY_JOBS,
): Promise<void> {
  for (const [name, run] of Object.entries(jobs)) {
    try {
      await run(services);
    } catch (error) {
      if (isCrash(error)) return;
      life.count(`failed: ${name}`);
    }
  }
}
