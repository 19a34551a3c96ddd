import { addDays, type Day, dayOf } from "../day.ts";
import type { Services } from "../ports.ts";
import type { Reconciliation } from "./reconciliation.ts";
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
  const reports = await store.listReconciliations({ limit: DAYS_A_RUN + 1 });
  const compared = new Set(reports.map(({ day }) => day));
  let day = firstDay(reports, yesterday);
  for (let count = 0; count < DAYS_A_RUN && day <= yesterday; count++) {
    if (!compared.has(day)) await reconcileDay(services, day);
    day = addDays(day, 1);
  }
}

/**
 * The day after the last that was compared. An operator may have compared one
 * out of turn, so those of the last weeks are looked through for any left out.
 *
 * @param reports the newest first
 */
function firstDay(reports: readonly Reconciliation[], yesterday: Day): Day {
  const [latest] = reports;
  const oldest = reports.at(-1);
  if (latest === undefined || oldest === undefined) return yesterday;
  const next = addDays(latest.day, 1);
  const lookedBack = addDays(yesterday, 1 - DAYS_A_RUN);
  const first = next < lookedBack ? next : lookedBack;
  return first > oldest.day ? first : oldest.day;
}
