import type { Suite } from "../../tools/bench/suite.ts";

/** The suites by name, in the order they run; each is loaded when it does. */
export const SUITES: ReadonlyMap<string, () => Promise<Suite>> = new Map([
  ["reads", async () => (await import("./reads.bench.ts")).reads],
  ["ask", async () => (await import("./ask.bench.ts")).ask],
  ["bids", async () => (await import("./bids.bench.ts")).bids],
  ["clicks", async () => (await import("./clicks.bench.ts")).clicks],
  ["mcp", async () => (await import("./mcp.bench.ts")).mcp],
  ["network", async () => (await import("./network.bench.ts")).network],
  ["oauth", async () => (await import("./oauth.bench.ts")).oauth],
  ["search", async () => (await import("./search.bench.ts")).search],
  ["webhooks", async () => (await import("./webhooks.bench.ts")).webhooks],
]);
