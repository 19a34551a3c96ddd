import { warnOfExpiry } from "../domain/cards/warn_of_expiry.ts";
import type { Job } from "../domain/operations/run_job.ts";

/** Mails whoever's card expires soon. */
export const warnOfExpiryJob: Job = {
  name: "warn of expiring cards",
  schedule: "12 * * * *",
  lateAfterMs: 6 * 3_600_000,
  onHold: "waits",
  run: warnOfExpiry,
};
