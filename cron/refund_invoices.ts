import { refundDueInvoices } from "../domain/invoices/refund_invoice.ts";
import type { Job } from "../domain/operations/run_job.ts";

/** Gives back the money of invoices that is to be given back. */
export const refundInvoicesJob: Job = {
  name: "refund invoices",
  schedule: "* * * * *",
  lateAfterMs: 15 * 60_000,
  onHold: "waits",
  run: refundDueInvoices,
};
