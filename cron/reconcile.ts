import type { Job } from "../domain/operations/run_job.ts";
import { reconcile } from "../domain/reconciliation/reconcile.ts";

/** Compares the books with the processor's and the archive, every night. */
export const reconcileJob: Job = {
  name: "reconcile money",
  schedule: "30 2 * * *",
  lateAfterMs: 36 * 3_600_000,
  onHold: "waits",
  run: reconcile,
};
