import { metricsConsequences } from "../domain/checkout/metrics_consequences.ts";
import type { Job } from "../domain/operations/run_job.ts";
import { settlePayments } from "../domain/paid_metrics/settle_payments.ts";

/** Finds out how payments for figures ended that nobody waits for any more. */
export const settlePaymentsJob: Job = {
  name: "settle payments for figures",
  schedule: "* * * * *",
  lateAfterMs: 15 * 60_000,
  onHold: "waits",
  run: (services) => settlePayments(services, metricsConsequences(services)),
};
