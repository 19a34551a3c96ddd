import { purgeArchive } from "../domain/invoices/purge_archive.ts";
import type { Job } from "../domain/operations/run_job.ts";

/** Removes what interrupted writing left in the archive. */
export const purgeArchiveJob: Job = {
  name: "purge archive",
  schedule: "23 * * * *",
  lateAfterMs: 3 * 3_600_000,
  onHold: "waits",
  run: purgeArchive,
};
