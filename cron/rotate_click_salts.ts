import { rotateClickSalts } from "../domain/clicks/click_salt.ts";
import type { Job } from "../domain/operations/run_job.ts";

/** Destroys what visitors of earlier days were hashed with. */
export const rotateClickSaltsJob: Job = {
  name: "rotate click salts",
  // Hourly, so that a missed midnight is made up for soon.
  schedule: "1 * * * *",
  lateAfterMs: 3 * 3_600_000,
  onHold: "runs",
  run: rotateClickSalts,
};
