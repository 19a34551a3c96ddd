/**
 * Agents that buy the figures of days gone by over HTTP 402.
 *
 * @module
 */
import Stripe from "stripe";
import { addDays, type Day } from "../../domain/day.ts";
import { TemporaryFailure } from "../../domain/failure.ts";
import { buyMetrics } from "../../domain/paid_metrics/buy_metrics.ts";
import type { MetricsPresentation } from "../../domain/paid_metrics/presentation.ts";
import { Refused } from "../../domain/refusal.ts";
import type { Services } from "../../domain/ports.ts";
import { grantToken } from "../simulators/stripe/support.ts";
import { isCrash } from "../support/faults.ts";
import { dyingProcess, type Life } from "./world.ts";

/** What agents pay with, and how often. */
const CARDS = [
  "pm_card_visa",
  "pm_card_visa",
  "pm_card_de",
  "pm_card_chargeDeclined",
  "pm_card_authenticationRequired",
] as const;

/** Some figures are bought, now and then by a process that dies over it. */
export async function readFigures(life: Life, today: Day): Promise<void> {
  const { random } = life;
  const readers = random.pick([0, 1, 1, 2]);
  for (let nth = 0; nth < readers; nth++) {
    const day = addDays(today, -random.between(1, 5));
    const presented = await presentation(life, day);
    const times = random.between(1, 2);
    for (let time = 0; time < times; time++) await buy(life, presented);
    if (random.chance(0.15)) await payAgain(life, presented.paymentId);
  }
}

async function presentation(
  life: Life,
  day: Day,
): Promise<MetricsPresentation> {
  const { random, world } = life;
  life.count("figures wanted");
  const { id: token } = await grantToken(world.stripe, {
    card: random.pick(CARDS),
    maxAmount: 100,
  });
  return {
    day,
    paymentId: `challenge_${life.tally["figures wanted"]}`,
    challengeExpiresAtMs: world.clock.now() + 300_000,
    payload: { token },
    keyHash: null,
  };
}

async function buy(
  life: Life,
  presented: MetricsPresentation,
): Promise<void> {
  const { random, services } = life;
  const buyer: Services = random.chance(0.15) ? dyingProcess(life) : services;
  try {
    const answer = await buyMetrics(buyer, presented, () => ({
      body: "{}",
      receipt: "receipt",
    }));
    // Some hang up, and their money goes back after a day.
    if (random.chance(0.8)) await answer.left();
    life.count("figures sold");
  } catch (error) {
    const isExpected = error instanceof Refused || isCrash(error) ||
      error instanceof TemporaryFailure;
    if (!isExpected) throw error;
    life.count("figures not sold");
  }
}

/** The processor takes the money for a purchase once more. */
async function payAgain(
  { world, services, count }: Life,
  id: string,
): Promise<void> {
  // What was never begun is nobody's purchase.
  if (await services.store.metricsPayments.find(id) === null) return;
  try {
    await world.stripe.paymentIntents.create({
      amount: 100,
      currency: "eur",
      confirm: true,
      payment_method: "pm_card_visa",
      automatic_payment_methods: { enabled: true, allow_redirects: "never" },
      metadata: { purpose: "metrics", payment_id: id },
    });
    count("figures paid twice");
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    count("figures not paid twice");
  }
}
