import { settlePaymentNow } from "../paid_metrics/settle_payments.ts";
import type { ProcessorPayment } from "../payments/processor.ts";
import type { Services } from "../ports.ts";
import { adoptPayment } from "./adopt_payment.ts";
import { metricsConsequences } from "./metrics_consequences.ts";

/**
 * Brings the purchase of figures that a payment is for in line with it: settled,
 * or adopted where its session is here and its row is not, since the store is of
 * an older backup. Harmless to repeat, in any order.
 *
 * @returns whether it is a payment for figures
 * @throws {ProcessorUncertain} while it is not known which payment is its own
 */
export async function syncFigures(
  services: Services,
  payment: ProcessorPayment,
): Promise<boolean> {
  const { purpose, payment_id: paymentId } = payment.metadata;
  if (purpose !== "metrics" || paymentId === undefined) return false;
  await adoptPayment(services, payment);
  const told = { paymentId, payment };
  await settlePaymentNow(services, metricsConsequences(services), told);
  return true;
}
