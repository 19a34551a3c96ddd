import { advanceAuctions } from "../domain/settlement/advance_auctions.ts";
import type { Job } from "../domain/operations/run_job.ts";

/** Opens, closes and settles whatever the clock says is due. */
export const advanceAuctionsJob: Job = {
  name: "advance auctions",
  schedule: "* * * * *",
  lateAfterMs: 5 * 60_000,
  onHold: "runs",
  async run(services) {
    const { failedDays } = await advanceAuctions(services);
    if (failedDays.length > 0) {
      throw new Error(`Cannot advance ${failedDays.join(", ")}`);
    }
  },
};
