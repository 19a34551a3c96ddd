import { assertEquals } from "@std/assert";
import { telemetryOf } from "../../app/telemetry.ts";
import { MemoryLog } from "../support/captured_logs.ts";

for (const isObserved of [false, true]) {
  const how = isObserved ? "with" : "without";
  Deno.test(`${how} telemetry the log tells when an error was last logged, by which operators hear that the processor refuses`, () => {
    const log = telemetryOf({ isObserved }).log(new MemoryLog());
    assertEquals(log.lastErrorMs("processor.refused"), null);
    log.error("processor.refused", { call: "list cards" });
    assertEquals(log.lastErrorMs("processor.refused"), 0);
  });
}
