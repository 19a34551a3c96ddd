import { deliverMails } from "../domain/mail/deliver_mails.ts";
import type { Job } from "../domain/operations/run_job.ts";

/** Delivers what the pump of no process has delivered. */
export const deliverMailsJob: Job = {
  name: "deliver mails",
  schedule: "* * * * *",
  lateAfterMs: 10 * 60_000,
  onHold: "runs",
  run: deliverMails,
};
