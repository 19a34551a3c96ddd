import { archiveDocuments } from "../domain/invoices/archive_documents.ts";
import type { Job } from "../domain/operations/run_job.ts";

/** Archives printed invoices and credit notes that no process has archived. */
export const archiveDocumentsJob: Job = {
  name: "archive documents",
  schedule: "* * * * *",
  lateAfterMs: 15 * 60_000,
  onHold: "waits",
  run: archiveDocuments,
};
