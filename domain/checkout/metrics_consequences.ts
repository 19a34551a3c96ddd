import { isOnSale } from "../paid_metrics/metrics_report.ts";
import { beginRefund } from "../paid_metrics/refund_payment.ts";
import type { MetricsConsequences } from "../paid_metrics/settle_payments.ts";
import type { Services } from "../ports.ts";
import { settleSession } from "./settle_session.ts";

/**
 * What follows from an outcome that nobody waited for, in the commit that records
 * it. Over HTTP 402 the row keeps the success for the payer for a day; if the
 * Spotlight was removed meanwhile, the refund begins at once, since its figures
 * are not on sale. In a checkout session, order and answer are settled.
 */
export function metricsConsequences(
  { settings }: Pick<Services, "settings">,
): MetricsConsequences {
  return {
    async http_payment(tx, payment, nowMs) {
      const spotlight = await tx.spotlights.find(payment.day);
      if (!isOnSale(spotlight)) beginRefund(tx, payment, nowMs);
    },
    async checkout(tx, payment, nowMs) {
      await settleSession({ settings }, tx, payment, nowMs);
    },
  };
}
