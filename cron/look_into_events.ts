import { startTimer } from "../adapters/time/system_time.ts";
import type { Job } from "../domain/operations/run_job.ts";
import { WEBHOOK_HANDLERS } from "../domain/webhooks/handlers.ts";
import { sweepEvents } from "../domain/webhooks/sweep_events.ts";

/** Looks into the processor's events that the pump of no process has done. */
export const lookIntoEventsJob: Job = {
  name: "look into webhook events",
  schedule: "* * * * *",
  lateAfterMs: 10 * 60_000,
  onHold: "waits",
  run: (services) =>
    sweepEvents({ services, handlers: WEBHOOK_HANDLERS, startTimer }),
};
