import { checkoutConsequence } from "../domain/checkout/checkout_consequence.ts";
import type { Job } from "../domain/operations/run_job.ts";
import { keepForPayer } from "../domain/paid_metrics/keep_for_payer.ts";
import { settlePayments } from "../domain/paid_metrics/settle_payments.ts";

/** Finds out how payments for figures ended that nobody waits for any more. */
export const settlePaymentsJob: Job = {
  name: "settle payments for figures",
  schedule: "* * * * *",
  lateAfterMs: 15 * 60_000,
  run: (services) =>
    settlePayments(services, {
      http_payment: keepForPayer,
      checkout: checkoutConsequence(services),
    }),
};
