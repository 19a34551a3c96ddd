import { parseDay } from "../day.ts";
import { isActiveHold } from "../hold/hold.ts";
import type { ProcessorPayment } from "../payments/processor.ts";
import type { Services } from "../ports.ts";
import { adoptCharge } from "./charge.ts";
import { succeededAnswer } from "./look_up_charge.ts";
import { beginRefund } from "./refund_payment.ts";

/**
 * Writes down a payment for figures of which a restored store kept no row, once
 * somebody has given it back and that did not reach the buyer: from then on it
 * is in the books, and given back like any other. One of a session that is here
 * is the checkout's to adopt, before. Harmless to repeat.
 */
export async function adoptUnknownFigures(
  { store, clock, settings }: Services,
  found: ProcessorPayment,
): Promise<void> {
  const hold = await store.holds.find();
  if (hold === null || isActiveHold(hold)) return;
  const { purpose, payment_id: id, challenge_id } = found.metadata;
  const day = parseDay(found.metadata["day"] ?? "");
  if (found.status !== "succeeded" || purpose !== "metrics") return;
  if (id === undefined || day === null) return;
  const channel = challenge_id === undefined ? "checkout" : "http_payment";
  const answer = succeededAnswer(settings, found);
  await store.transact(async (tx) => {
    if (await tx.metricsPayments.find(id) !== null) return;
    const nowMs = clock.now();
    const payment = adoptCharge(tx, { id, channel, day }, answer, nowMs);
    beginRefund(tx, payment, nowMs);
  });
}
