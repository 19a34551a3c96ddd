import type { Day } from "../day.ts";
import type { Services } from "../ports.ts";
import { closeAuction } from "./close_auction.ts";
import { adoptInvoice } from "./adopt_invoice.ts";
import { isWait } from "./step_progress.ts";
import { chargeStep } from "./charge.ts";
import { LeaseLost, newSaga, nextTurn, type Saga } from "./saga.ts";
import { ensureSettlement, releaseLease, takeLease } from "./settle_day.ts";

/**
 * Settles a day with the bid whose paid invoice stands at the processor: it is
 * only read there, so that this may be done while the store is on hold. A day
 * that is still open is closed, since it is sold. Where an operator took note
 * that its ad can't be shown, it is settled without it.
 *
 * @returns why the day could not be settled so; null when it is
 * @throws {ProcessorUncertain} when the processor does not say
 */
export async function adoptSoldDay(
  services: Services,
  { day, invoiceId, isNoted }: {
    day: Day;
    invoiceId: string;
    isNoted: boolean;
  },
): Promise<string | null> {
  if (await services.store.auctions.find(day) === null) {
    return "the auction of its day is not known";
  }
  await closeAuction(services, { day });
  const existing = await ensureSettlement(services, day);
  if (existing.state === "settled") return "the day is settled already";
  const saga = newSaga(services, day);
  if (await takeLease(saga, true) === null) {
    return "its settlement is under way";
  }
  try {
    const why = await settleWith(saga, { invoiceId, isNoted });
    if (why !== null) await releaseLease(saga, null, { wait: why });
    return why;
  } catch (error) {
    if (error instanceof LeaseLost) return "its settlement is under way";
    throw error;
  }
}

async function settleWith(
  saga: Saga,
  { invoiceId, isNoted }: { invoiceId: string; isNoted: boolean },
): Promise<string | null> {
  const asked = await saga.services.processor.retrieveInvoice(invoiceId);
  if (!asked.ok || asked.value.status !== "paid") return "it is not paid";
  const adopted = await adoptInvoice(saga, asked.value, { isNoted });
  if (typeof adopted === "string") return adopted;
  const turn = nextTurn(adopted);
  if (turn === null) return "its bid was passed over";
  const progress = await chargeStep(saga, turn, "paying");
  if (isWait(progress)) return progress.wait;
  return progress.state === "settled" ? null : "its bid was passed over";
}
