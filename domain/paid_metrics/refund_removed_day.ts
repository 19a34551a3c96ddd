import type { Transaction } from "../ports.ts";
import type { MetricsPayment } from "./metrics_payment.ts";
import { isOnSale } from "./metrics_report.ts";
import { beginRefund } from "./refund_payment.ts";

/**
 * Runs when a payment over HTTP 402 succeeds after its request has ended. The
 * row keeps the success for the payer for a day; if the Spotlight was removed
 * meanwhile, the refund begins at once, since its figures are not on sale.
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
