import { checkoutConsequence } from "../domain/checkout/checkout_consequence.ts";
import type { Job } from "../domain/operations/run_job.ts";
import { settlePayments } from "../domain/paid_metrics/settle_payments.ts";

/** Finds out how payments for figures ended that nobody waits for any more. */
export const settlePaymentsJob: Job = {
  name: "settle payments for figures",
  schedule: "* * * * *",
  lateAfterMs: 15 * 60_000,
  run: (services) =>
    settlePayments(services, {
      // Over HTTP 402 the row is all there is: its payer comes for the answer.
      http_payment: () => Promise.resolve(),
      checkout: checkoutConsequence(services),
    }),
};
