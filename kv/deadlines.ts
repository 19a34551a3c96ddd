import {
  type Deadline,
  sharedDeadlines,
} from "../domain/operations/shared_deadlines.ts";

/** The deadline of one call of the store. */
export const deadline: Deadline = sharedDeadlines({
  nowMs: () => performance.now(),
  startTimer(run, ms) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
});
