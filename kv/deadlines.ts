import { monotonicMs, startTimer } from "../adapters/time/system_time.ts";
import {
  type Deadline,
  sharedDeadlines,
} from "../domain/operations/shared_deadlines.ts";

/** The deadline of one call of the store. */
export const deadline: Deadline = sharedDeadlines({
  nowMs: monotonicMs,
  startTimer,
});
