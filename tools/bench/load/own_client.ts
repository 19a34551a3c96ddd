/**
 * The load generator's process: its only argument is the file of a load, and it
 * prints what came back, both as JSON.
 *
 * @module
 */
import { percentile } from "../statistics.ts";
import { Connection } from "./connection.ts";
import { type Load, requestTexts } from "./generator.ts";

/** What the process prints. */
export interface OwnResult {
  /** How often each status was answered. */
  statuses: Record<string, number>;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}

async function run(load: Load): Promise<OwnResult> {
  const encoder = new TextEncoder();
  const requests = requestTexts(load).map((text) => encoder.encode(text));
  const statuses: Record<string, number> = {};
  const tookMs: number[] = [];
  const startMs = performance.now();
  const endMs = startMs + load.seconds * 1_000;
  let next = 0;
  const client = async () => {
    using connection = await Connection.open(load.port);
    for (;;) {
      const askedMs = performance.now();
      if (askedMs >= endMs) return;
      const request = requests[next++ % requests.length];
      if (request === undefined) throw new Error("Cannot ask: no addresses");
      const { status } = await connection.ask(request);
      tookMs.push(performance.now() - askedMs);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: load.connections }, client));
  return {
    statuses,
    seconds: (performance.now() - startMs) / 1_000,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
  };
}

if (import.meta.main) {
  const text = await Deno.readTextFile(Deno.args[0] ?? "");
  const result = await run(JSON.parse(text) as Load);
  // deno-lint-ignore no-console
  console.log(JSON.stringify(result));
}
