import type { Job } from "../domain/operations/run_job.ts";
import { tellProcessorOfCompanies } from "../domain/payments/tell_processor_of_companies.ts";

/** Makes and changes the processor's customers after companies were saved. */
export const tellProcessorJob: Job = {
  name: "tell processor of companies",
  schedule: "* * * * *",
  lateAfterMs: 60 * 60_000,
  onHold: "waits",
  run: tellProcessorOfCompanies,
};
