import { assertEquals } from "@std/assert";
import { telemetryOf } from "../../app/telemetry.ts";
import { eventLog } from "../../routes/event_log.ts";
import { MemoryLines, MemoryLog } from "../support/captured_logs.ts";
import { ManualClock } from "../support/clock.ts";

for (const isObserved of [false, true]) {
  const how = isObserved ? "with" : "without";
  Deno.test(`${how} telemetry the log tells when an error was last logged, by which operators hear that the processor refuses`, () => {
    const log = telemetryOf({ isObserved }).log(new MemoryLog());
    assertEquals(log.lastErrorMs("processor.refused"), null);
    log.error("processor.refused", { call: "list cards" });
    assertEquals(log.lastErrorMs("processor.refused"), 0);
  });

  Deno.test(`${how} telemetry the log tells when its process began, before which no job is stuck`, () => {
    const clock = new ManualClock("2026-11-20T12:00:00.000Z");
    const log = telemetryOf({ isObserved })
      .log(eventLog(new MemoryLines(), clock));
    assertEquals(log.startedMs, clock.now());
  });
}
