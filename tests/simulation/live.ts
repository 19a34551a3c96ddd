import { addDays, dayOf } from "../../domain/day.ts";
import { reconcileDay } from "../../domain/reconciliation/reconcile_day.ts";
import { liveDay } from "./day.ts";
import { brokenPromises } from "./verify.ts";
import { letBePaid } from "./payouts.ts";
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

/** The life of a seed, with partners who are approved and can be paid. */
export async function beginLife(
  seed: number,
  reach: Reach = "at hand",
): Promise<Life> {
  const life = await openLife(seed, reach);
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

/** Lives the first days of a life. */
export async function liveDays(life: Life, days: number): Promise<void> {
  for (let nth = 0; nth < days; nth++) {
    await liveDay(life, addDays(life.firstDay, nth));
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
  const today = dayOf(life.world.clock.now());
  for (let day = life.firstDay; day < today; day = addDays(day, 1)) {
    await reconcileDay(life.services, day);
  }
}
