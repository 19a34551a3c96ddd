import { addDays, DAY_MS, dayOf } from "../../domain/day.ts";
import { reconcileDay } from "../../domain/reconciliation/reconcile_day.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { liveDay, passDay } from "./day.ts";
import { brokenPromises } from "./verify.ts";
import { letBePaid } from "./payouts.ts";
import { orderAgain } from "./operators.ts";
import { openPartners } from "./people.ts";
import { type Life, openLife, type Reach, type Tally } from "./world.ts";

/** What a seed came to. */
export interface Verdict {
  seed: number;
  broken: string[];
  tally: Tally;
}

/** Nights of quiet in which everything that was begun comes to its end. */
const QUIET_TICKS = 40;
const QUIET_MS = 30 * 60_000;
/** As often is one of them at night. */
const A_NIGHT = 10;

/** How often operators give back what came back, when all is quiet. */
const MENDED_TIMES = 3;
/** And how long each time takes. */
const MENDING_TICKS = 4;

/** The life of a seed, with partners who are approved and can be paid. */
export async function beginLife(
  seed: number,
  reach: Reach = "at hand",
  kv: KvLike | null = null,
): Promise<Life> {
  const life = await openLife(seed, reach, kv);
  await openPartners(life);
  for (const { accountId } of life.people) await letBePaid(life, accountId);
  return life;
}

/** Lives a seed's days and looks at what is left. */
export async function live(
  seed: number,
  days: number,
  reach: Reach = "at hand",
): Promise<Verdict> {
  await using life = await beginLife(seed, reach);
  await liveDays(life, days);
  await calmDown(life);
  return {
    seed,
    broken: await brokenPromises(life),
    tally: life.tally,
  };
}

/** After so many days nobody comes for a while, so that two months are told. */
const BUSY_DAYS = 35;
/** How long that is. */
const AWAY_DAYS = 24;

/** Lives the first days of a life. */
export async function liveDays(life: Life, days: number): Promise<void> {
  for (let nth = 0; nth < days; nth++) {
    const isBack = nth >= BUSY_DAYS;
    for (let away = 0; nth === BUSY_DAYS && away < AWAY_DAYS; away++) {
      await passDay(life, addDays(life.firstDay, nth + away));
    }
    const later = isBack ? AWAY_DAYS : 0;
    await liveDay(life, addDays(life.firstDay, nth + later));
  }
}

/** Nothing fails any more; cron goes on as ever. */
export async function calmDown(life: Life): Promise<void> {
  const { control } = life.world.simulator;
  control.clearFaults();
  control.webhooks.setFaults({});
  for (let nth = 0; nth < QUIET_TICKS; nth++) {
    for (const { id, status } of control.objects("payment_intent")) {
      if (status === "processing") control.resolvePayment(id, "fail");
    }
    await life.tick({ isNight: nth % A_NIGHT === A_NIGHT - 1 });
    await life.deliver();
    life.world.clock.advance(QUIET_MS);
  }
  await compareAll(life);
  for (let again = 0; again < MENDED_TIMES; again++) {
    await orderAgain(life);
    for (let nth = 0; nth < MENDING_TICKS; nth++) {
      await life.tick();
      await life.deliver();
      life.world.clock.advance(QUIET_MS);
    }
    // Only days that are over are compared.
    life.world.clock.advance(DAY_MS);
    await compareAll(life);
  }
}

async function compareAll({ services, firstDay }: Life): Promise<void> {
  const today = dayOf(services.clock.now());
  for (let day = firstDay; day < today; day = addDays(day, 1)) {
    await reconcileDay(services, day);
  }
}
