import { sweepCards } from "../domain/cards/sweep_cards.ts";
import type { Job } from "../domain/operations/run_job.ts";

/** Finishes removals of cards, and compares cards with the processor's. */
export const sweepCardsJob: Job = {
  name: "keep cards",
  schedule: "* * * * *",
  lateAfterMs: 15 * 60_000,
  onHold: "waits",
  run: sweepCards,
};
