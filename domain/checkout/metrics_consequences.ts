import { keepForPayer } from "../paid_metrics/keep_for_payer.ts";
import type { MetricsConsequences } from "../paid_metrics/settle_payments.ts";
import type { Services } from "../ports.ts";
import { checkoutConsequence } from "./checkout_consequence.ts";

/** What follows from an outcome that nobody waited for, either way of buying. */
export function metricsConsequences(
  services: Pick<Services, "settings">,
): MetricsConsequences {
  return {
    http_payment: keepForPayer,
    checkout: checkoutConsequence(services),
  };
}
