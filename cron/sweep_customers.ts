import type { Job } from "../domain/operations/run_job.ts";
import { sweepCustomers } from "../domain/payments/sweep_customers.ts";

/** Makes and changes the processor's customers after companies were saved. */
export const sweepCustomersJob: Job = {
  name: "tell processor of companies",
  schedule: "* * * * *",
  lateAfterMs: 60 * 60_000,
  onHold: "waits",
  run: sweepCustomers,
};
