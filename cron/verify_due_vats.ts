import { verifyDueVats } from "../domain/accounts/verify_due_vats.ts";
import type { Job } from "../domain/operations/run_job.ts";

/** Checks again the VAT ids whose registry could not be asked. */
export const verifyDueVatsJob: Job = {
  name: "verify VAT ids",
  schedule: "*/5 * * * *",
  lateAfterMs: 60 * 60_000,
  onHold: "waits",
  run: verifyDueVats,
};
