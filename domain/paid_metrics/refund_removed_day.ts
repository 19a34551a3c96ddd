import type { Transaction } from "../ports.ts";
import type { MetricsPayment } from "./metrics_payment.ts";
import { isOnSale } from "./metrics_report.ts";
import { beginRefund } from "./refund_payment.ts";

/**
 * What follows from an outcome over HTTP 402 that nobody was there to hear: the
 * row keeps it for the payer, for a day. Money for a day that was removed goes
 * back at once, since nobody can come for its figures.
 */
export async function refundRemovedDay(
  tx: Transaction,
  payment: MetricsPayment,
  nowMs: number,
): Promise<void> {
  if (payment.state !== "succeeded") return;
  if (isOnSale(await tx.spotlights.find(payment.day))) return;
  tx.metricsPayments.save(beginRefund(payment, nowMs));
}
