/**
 * One day of a life: bids, then whatever goes wrong, then the settlement and
 * what notifications, payers and banks make of it.
 *
 * @module
 */
import { addDays, type Day, startOfDayMs } from "../../domain/day.ts";
import { placeBid } from "../../domain/bidding/place_bid.ts";
import { Refused } from "../../domain/refusal.ts";
import type { FaultKind } from "../../simulators/stripe/mod.ts";
import type { Advertiser } from "../support/auction_world.ts";
import { liveElsewhere } from "./elsewhere.ts";
import { lookAtFigures } from "./partner_sights.ts";
import { operate } from "./operators.ts";
import { movePayouts } from "./payouts.ts";
import { browserOf, welcomeSomebody } from "./people.ts";
import { readFigures } from "./readers.ts";
import { claimRights } from "./rights.ts";
import type { Life } from "./world.ts";

const MINUTE_MS = 60_000;
/** Ticks after closing: more than a settlement that finds no one takes. */
const TICKS_AT_NIGHT = 12;
/** When the books are compared, as cron's schedule says. */
const RECONCILE_AT_MS = 150 * MINUTE_MS;

const FAULTS = [
  "error_before_effect",
  "error_after_effect",
  "reset_before_effect",
  "reset_after_effect",
  "rate_limit",
  "lock_timeout",
  "decline",
  "requires_action",
  "processing",
] as const satisfies readonly FaultKind[];

const PATHS = [
  "/v1/customers/**",
  "/v1/invoices",
  "/v1/invoices/**",
  "/v1/invoiceitems",
  "/v1/refunds",
  "/v1/credit_notes",
  "/v1/transfers",
  "/v1/transfers/**",
  "/v1/payment_intents",
  "/v1/payment_intents/**",
  "/v1/disputes/**",
  "/v1/balance_transactions",
] as const;

/** Lives one day, from its opening to the comparing of its books. */
export async function liveDay(life: Life, day: Day): Promise<void> {
  const { clock } = life.world;
  clock.set(startOfDayMs(day) + MINUTE_MS);
  await life.tick();
  if (await life.services.store.currentHold() === null) {
    await welcomeSomebody(life);
  }
  await bidAll(life, day);
  await claimRights(life);
  await movePayouts(life);
  await liveElsewhere(life, day);
  await operate(life, day);
  breakThings(life);
  await readFigures(life, day);
  await lookAtFigures(life);
  clock.set(startOfDayMs(day) + 1_435 * MINUTE_MS);
  for (let nth = 0; nth < TICKS_AT_NIGHT; nth++) {
    await life.tick({ mayDie: true });
    if (life.random.chance(0.5)) await life.deliver();
    resolvePayments(life);
    clock.advance(life.random.between(1, 6) * MINUTE_MS);
  }
  if (life.random.chance(0.8)) life.world.simulator.control.clearFaults();
  clock.set(
    Math.max(clock.now(), startOfDayMs(addDays(day, 1)) + RECONCILE_AT_MS),
  );
  await life.tick({ mayDie: true, isNight: true });
}

/** A day on which nobody comes: the clock goes on, and what was begun with it. */
export async function passDay(life: Life, day: Day): Promise<void> {
  const { clock } = life.world;
  clock.set(startOfDayMs(day) + MINUTE_MS);
  await life.tick();
  await movePayouts(life);
  await life.deliver();
  await lookAtFigures(life);
  for (const minute of [1_435, 1_437]) {
    clock.set(startOfDayMs(day) + minute * MINUTE_MS);
    await life.tick({ mayDie: true });
  }
  clock.set(startOfDayMs(addDays(day, 1)) + RECONCILE_AT_MS);
  await life.tick({ isNight: true });
}

/** Everybody who feels like it bids, some more than once. */
async function bidAll(life: Life, day: Day): Promise<void> {
  const { random, advertisers } = life;
  for (const who of advertisers) {
    const times = random.pick([0, 1, 1, 2]);
    for (let nth = 0; nth < times; nth++) await bid(life, who, day);
  }
}

async function bid(life: Life, who: Advertiser, day: Day): Promise<void> {
  const { services, random, world } = life;
  world.clock.advance(random.between(0, 5_000));
  const account = await services.store.accounts.find(who.account.id);
  if (account === null) return;
  const session = await browserOf(life, account.id);
  try {
    await placeBid(services, {
      by: { account, session },
      day,
      adId: who.adId,
      amountCents: random.between(100, 50_000),
      paymentMethodId: null,
      binding: null,
    });
    life.count("bid");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    life.count(`refused: ${error.refusal.code}`);
  }
}

/** Orders what goes wrong at the processor and on the way from it. */
function breakThings({ random, world, tally }: Life): void {
  const { control } = world.simulator;
  control.webhooks.setFaults({
    shuffle: random.next(),
    duplicate: random.next() * 0.5,
    lose: random.next() * 0.3,
  });
  const faults = random.pick([0, 0, 1, 2, 4]);
  for (let nth = 0; nth < faults; nth++) {
    const kind = random.pick(FAULTS);
    control.addFault({
      kind,
      path: random.pick(PATHS),
      times: random.between(1, 4),
    });
    tally[`fault: ${kind}`] = (tally[`fault: ${kind}`] ?? 0) + 1;
  }
  if (random.chance(0.005)) {
    control.addFault({ kind: "timeout_after_effect", path: "/v1/invoices/**" });
    tally["fault: timeout"] = (tally["fault: timeout"] ?? 0) + 1;
  }
}

/** Payments that the bank thinks about are decided, some of them late. */
function resolvePayments({ random, world }: Life): void {
  const { control } = world.simulator;
  const waiting = control.objects("payment_intent")
    .filter(({ status }) => status === "processing");
  for (const { id } of waiting) {
    if (random.chance(0.4)) {
      control.resolvePayment(id, random.pick(["succeed", "fail"]));
    }
  }
}
