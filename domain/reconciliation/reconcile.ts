import { addDays, type Day, dayOf } from "../day.ts";
import { sweepDisputes } from "../disputes/sweep_disputes.ts";
import { ProcessorUncertain } from "../failure.ts";
import type { Services } from "../ports.ts";
import { toldNow } from "../settlement/agreed_time.ts";
import { compareDay } from "./compare_day.ts";
import { cutOf, READ_BOUNDS } from "./read_books.ts";

/** Days one run makes up at most; the rest is for the next. */
const DAYS_A_RUN = 31;

/**
 * Compares every day that is over, by the processor's clock where ours is ahead
 * of it, and that no run has compared, oldest first.
 * The first run ever begins with yesterday, and says so before it asks anybody:
 * a run that fails is made up by the next, whenever that is.
 * Decision 0143 says why.
 *
 * @returns how many days were compared
 * @throws {TemporaryFailure} when the processor or the store does not answer;
 * the days before that one are compared
 */
export async function reconcile(services: Services): Promise<number> {
  const { store, clock } = services;
  const progress = await store.reconciliationProgress.find();
  // As in every hour of a day whose night went well.
  if (progress !== null && progress.nextDay >= dayOf(clock.now())) return 0;
  const nowMs = await toldNow(services);
  if (nowMs === null) throw new ProcessorUncertain("It does not tell the time");
  const yesterday = addDays(dayOf(nowMs), -1);
  let day = progress?.nextDay ?? await firstDay(services, yesterday);
  if (day > yesterday) return 0;
  const cut = cutOf(await sweepDisputes(services));
  let count = 0;
  for (; count < DAYS_A_RUN && day <= yesterday; count++) {
    await compareDay(services, day, READ_BOUNDS, cut);
    const next = addDays(day, 1);
    day = await goOnWith(services, next, (written) => written < next);
  }
  return count;
}

/** The first day that is owed where nothing says so yet. */
async function firstDay(services: Services, yesterday: Day): Promise<Day> {
  // Of before this was kept, or an operator's.
  const reports = await services.store.listReconciliations({
    limit: DAYS_A_RUN,
  });
  const oldest = reports.at(-1)?.day ?? yesterday;
  // Another isolate may have begun at the same moment: it decides.
  const first = oldest < yesterday ? oldest : yesterday;
  return await goOnWith(services, first, () => false);
}

/**
 * Writes which day is compared next, over what is written only if `replaces`
 * says so: another isolate may be further on.
 *
 * @returns the day that is now written
 */
function goOnWith(
  { store }: Services,
  nextDay: Day,
  replaces: (written: Day) => boolean,
): Promise<Day> {
  return store.transact(async (tx) => {
    const progress = await tx.reconciliationProgress.find();
    if (progress !== null && !replaces(progress.nextDay)) {
      return progress.nextDay;
    }
    tx.reconciliationProgress.save({ nextDay });
    return nextDay;
  });
}
