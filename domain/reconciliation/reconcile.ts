import { addDays, type Day, dayOf } from "../day.ts";
import type { Services } from "../ports.ts";
import { reconcileDay } from "./reconcile_day.ts";

/** Days one run makes up at most; the rest is for the next. */
const DAYS_A_RUN = 31;

/**
 * Compares every day that is over and was not compared yet, oldest first. The
 * first run ever begins with yesterday.
 */
export async function reconcile(services: Services): Promise<void> {
  const { store, clock } = services;
  const yesterday = addDays(dayOf(clock.now()), -1);
  const [latest] = await store.listReconciliations({ limit: 1 });
  let day: Day = latest === undefined ? yesterday : addDays(latest.day, 1);
  for (let count = 0; count < DAYS_A_RUN && day <= yesterday; count++) {
    await reconcileDay(services, day);
    day = addDays(day, 1);
  }
}
