import { type Clock, type Log } from "../domain/ports.ts";
import type { LineWriter } from "./line_writer.ts";

/** The `Log` port: one JSON line an event, through the writer of the log. */
export function eventLog(writer: LineWriter, clock: Clock): Log {
  function write(
    level: "info" | "error",
    event: string,
    fields: Record<string, unknown> = {},
  ): void {
    const ts = new Date(clock.now()).toISOString();
    writer.write(toJson({ ts, level, event, ...fields }));
  }
  return {
    info: (event, fields) => write("info", event, fields),
    error: (event, fields) => write("error", event, fields),
  };
}

/** A log line is never the reason why something fails. */
function toJson(line: Record<string, unknown>): string {
  try {
    return JSON.stringify(
      line,
      (_, value) => typeof value === "bigint" ? String(value) : value,
    );
  } catch {
    const { ts, level, event } = line;
    return JSON.stringify({ ts, level, event, fields: "not writable" });
  }
}
