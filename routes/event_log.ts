import { type Clock, type Log } from "../domain/ports.ts";
import { scrub } from "./fault.ts";
import type { LineWriter } from "./line_writer.ts";

/** Written for each request that is answered 503: a busy second has thousands. */
const OF_REQUESTS = "temporary_failure";
/** Of each error of those, one is written in so long. */
const ONE_IN_MS = 1_000;

/**
 * The `Log` port: one JSON line an event, through the writer of the log. What
 * looks private is taken out of every field: the message of an error comes from
 * anywhere. Of failures that come all at once one is written with its stack, and
 * the next one counts those that were left out.
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
  const leaveOut = repeats(clock);
  /** One a name, of which the code has some hundred. */
  const errors = new Map<string, number>();
  return {
    startedMs: clock.now(),
    lastErrorMs: (event) => errors.get(event) ?? null,
    info: (event, fields) => write("info", event, fields),
    error(event, fields) {
      errors.set(event, clock.now());
      if (event !== OF_REQUESTS) return write("error", event, fields);
      const leftOut = leaveOut(String(fields?.["error"]));
      if (leftOut === null) return;
      const count = leftOut > 0 ? { left_out: leftOut } : {};
      write("error", event, { ...fields, ...count });
    },
  };
}

/**
 * Tells how many of a name were left out before one that is written; null for
 * one that is left out.
 */
function repeats(clock: Clock): (name: string) => number | null {
  const written = new Map<string, { atMs: number; leftOut: number }>();
  return (name) => {
    const nowMs = clock.now();
    const last = written.get(name);
    const sinceMs = last === undefined ? Infinity : nowMs - last.atMs;
    if (last !== undefined && sinceMs >= 0 && sinceMs < ONE_IN_MS) {
      last.leftOut += 1;
      return null;
    }
    written.set(name, { atMs: nowMs, leftOut: 0 });
    return last?.leftOut ?? 0;
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
