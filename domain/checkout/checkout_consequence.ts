import type { MetricsConsequence } from "../paid_metrics/settle_payments.ts";
import type { Services } from "../ports.ts";
import { settleSession } from "./settle_session.ts";

/**
 * What follows when the sweep finds the outcome of a checkout's payment: its
 * session, its order and its answer, in the commit that records the outcome.
 */
export function checkoutConsequence(
  { settings }: Pick<Services, "settings">,
): MetricsConsequence {
  return async (tx, payment, nowMs) => {
    await settleSession({ settings }, tx, payment, nowMs);
  };
}
