import { type Clock, type Log } from "../domain/ports.ts";
import { scrub } from "./fault.ts";
import type { LineWriter } from "./line_writer.ts";

/**
 * The `Log` port: one JSON line an event, through the writer of the log. What
 * looks private is taken out of every field: the message of an error comes from
 * anywhere.
 */
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
    return JSON.stringify(line, (_, value) => toField(value));
  } catch {
    const { ts, level, event } = line;
    return JSON.stringify({ ts, level, event, fields: "not writable" });
  }
}

function toField(value: unknown): unknown {
  if (typeof value === "string") return scrub(value);
  return typeof value === "bigint" ? String(value) : value;
}
