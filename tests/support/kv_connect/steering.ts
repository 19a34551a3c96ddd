import type { Faults } from "./faults.ts";
import { readChanges } from "./settings.ts";
import type { Trace } from "./trace.ts";
import type { Bytes } from "./wire.ts";

/** What of a server is steered and asked over HTTP. */
export interface Steered {
  faults: Faults;
  trace: Trace;
  cut(): void;
  gauges(): Record<string, number>;
}

/** A cut waits for its own answer to leave. */
const CUT_AFTER_MS = 10;

/** Answers what a test asks of a server in another process. */
export function steer(
  { faults, trace, cut, gauges }: Steered,
  what: string,
  query: URLSearchParams,
  body: Bytes,
): Response {
  switch (what) {
    case "settings":
      return changeSettings(faults, body);
    case "trace":
      return Response.json(trace.since(Number(query.get("after") ?? 0)));
    case "stats":
      return Response.json({ calls: trace.counts, ...gauges() });
    case "cut":
      setTimeout(cut, CUT_AFTER_MS);
      return Response.json({});
    default:
      return new Response(`No "${what}"`, { status: 404 });
  }
}

function changeSettings(faults: Faults, body: Bytes): Response {
  try {
    if (body.length > 0) {
      const text = new TextDecoder().decode(body);
      faults.change(readChanges(JSON.parse(text)));
    }
    return Response.json(faults.settings);
  } catch (error) {
    return new Response(String(error), { status: 400 });
  }
}
