import { refundRemovedDay } from "../paid_metrics/refund_removed_day.ts";
import type { MetricsConsequences } from "../paid_metrics/settle_payments.ts";
import type { Services } from "../ports.ts";
import { settleSession } from "./settle_session.ts";

/**
 * What follows from an outcome that nobody waited for, in the commit that records
 * it: the figures are kept for the payer, or session, order and answer of a
 * checkout are settled.
 */
export function metricsConsequences(
  { settings }: Pick<Services, "settings">,
): MetricsConsequences {
  return {
    http_payment: refundRemovedDay,
    async checkout(tx, payment, nowMs) {
      await settleSession({ settings }, tx, payment, nowMs);
    },
  };
}
