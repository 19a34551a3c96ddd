import { parseDay } from "../day.ts";
import { isActiveHold } from "../hold/hold.ts";
import type { Services } from "../ports.ts";
import { adoptCharge } from "./charge.ts";
import { succeededAnswer } from "./look_up_charge.ts";
import { beginRefund } from "./refund_payment.ts";

/**
 * Writes down a payment for figures of which a restored store kept no row, once
 * somebody has given it back and that did not reach the buyer: from then on it
 * is in the books, and given back like any other. Harmless to repeat.
 *
 * @returns whether there is a row of it now
 */
export async function adoptUnknownFigures(
  { store, clock, settings, processor }: Services,
  intentId: string | null,
): Promise<boolean> {
  const hold = await store.holds.find();
  if (hold === null || isActiveHold(hold) || intentId === null) return false;
  const asked = await processor.retrievePayment(intentId);
  if (!asked.ok || asked.value.status !== "succeeded") return false;
  const { purpose, payment_id: id, challenge_id } = asked.value.metadata;
  const day = parseDay(asked.value.metadata["day"] ?? "");
  if (purpose !== "metrics" || id === undefined || day === null) return false;
  const channel = challenge_id === undefined ? "checkout" : "http_payment";
  const answer = succeededAnswer(settings, asked.value);
  await store.transact(async (tx) => {
    if (await tx.metricsPayments.find(id) !== null) return;
    const nowMs = clock.now();
    const payment = adoptCharge(tx, { id, channel, day }, answer, nowMs);
    beginRefund(tx, payment, nowMs);
  });
  return true;
}
