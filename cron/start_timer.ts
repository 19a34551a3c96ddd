import type { StartTimer } from "../domain/webhooks/event_rows.ts";

/** The system's own timers, for domain code that waits by a port. */
export const startTimer: StartTimer = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
