import { startOfDayMs } from "../day.ts";
import { isNotedAsSold } from "../hold/hold.ts";
import type { Settlement } from "./settlement.ts";
import { adoptOrStop } from "./adopt_invoice.ts";
import { isWait, type Progress } from "./step_progress.ts";
import { isShownTimeOver } from "./recheck.ts";
import { claimOnDay, invoicesOfDay } from "./invoices_of_day.ts";
import { publishHouseAd } from "./publish.ts";
import type { Saga } from "./saga.ts";

/**
 * Settles a day of which no candidate is left on a house advertisement. Where
 * the store was restored since the day began, its bids may be unknown here: the
 * day waits while an invoice of one is paid or may still be, as long as there is
 * something to sell, but for one of which an operator has noted that it bought
 * the day.
 */
export async function settleUnsold(
  saga: Saga,
  settlement: Settlement,
): Promise<Progress> {
  const { store } = saga.services;
  const hold = await store.holds.find();
  if (hold === null || startOfDayMs(saga.day) > hold.restoredAtMs) {
    return await publishHouseAd(saga);
  }
  const invoices = await invoicesOfDay(saga);
  if (invoices === null) {
    return { wait: "looking for invoices of the day is uncertain" };
  }
  const unseen = invoices.filter(({ id }) => !isNotedAsSold(hold, id));
  const claim = await claimOnDay(saga, settlement, unseen);
  if (claim === null) return await publishHouseAd(saga);
  const progress = await adoptOrStop(saga, claim);
  return isWait(progress) && await isShownTimeOver(saga)
    ? await publishHouseAd(saga)
    : progress;
}
