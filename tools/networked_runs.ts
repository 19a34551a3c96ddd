/**
 * What `deno task test:networked` runs over a KV Connect server: which tests, how
 * far away the server is, and which faults its line has.
 *
 * @module
 */
import {
  startKvConnect,
  TEST_TOKEN,
} from "../tests/support/kv_connect/server.ts";
import type { Settings } from "../tests/support/kv_connect/settings.ts";

/** Tests that are run against one server. */
export interface NetworkedRun {
  /** In the report's name. */
  name: string;
  settings: Partial<Settings>;
  files: readonly string[];
}

/** A round trip of so many ms, more or less. */
function away(ms: number): Partial<Settings> {
  return { readMs: ms, writeMs: ms, jitter: 0.25 };
}

/** Five calls of a hundred go wrong, some of them when they have applied. */
const FAULTS: Partial<Settings> = {
  share503: 0.02,
  shareResetBefore: 0.015,
  shareResetAfter: 0.015,
};

const STORE = [
  "lists",
  "rate_buckets",
  "remembered_rows",
  "store",
  "transaction",
  "two_handles",
  "watch_version",
].map((name) => `tests/kv/${name}_test.ts`);

/** They send thousands of calls: far away they would take minutes. */
const LONG_STORE = [
  "kv/chunked_values",
  "kv/current_hold",
  "kv/dump",
  "kv/serializability",
  "kv/upgraded_rows",
  "tools/restore_backup",
  "tools/restore_hold",
].map((name) => `tests/${name}_test.ts`);

const PROCESSES = [
  "checkout_two_processes",
  "metrics_two_processes",
  "oauth_two_processes",
  "search_two_processes",
  "two_processes",
].map((name) => `tests/http/${name}_test.ts`);

const CRASHES = ["kill", "webhooks_kill"]
  .map((name) => `tests/http/${name}_test.ts`);

const SIMULATION = ["tests/networked/simulation.networked.ts"];

/** The runs, in their order. */
export const NETWORKED_RUNS: readonly NetworkedRun[] = [
  { name: "store_0ms", settings: away(0), files: [...STORE, ...LONG_STORE] },
  { name: "store_20ms", settings: away(20), files: STORE },
  { name: "store_60ms", settings: away(60), files: STORE },
  {
    name: "simulation_0ms",
    settings: { ...away(0), ...FAULTS },
    files: SIMULATION,
  },
  {
    name: "processes_20ms",
    settings: { ...away(20), ...FAULTS },
    files: PROCESSES,
  },
  {
    name: "crashes_60ms",
    settings: { ...away(60), ...FAULTS },
    files: CRASHES,
  },
];

/** Starts a server, has the tests run with its variables, and stops it. */
export async function withServer<T>(
  settings: Partial<Settings>,
  work: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  await using server = startKvConnect(settings);
  const { share503 = 0 } = settings;
  return await work({
    TEST_KV_FAULTS: share503 > 0 ? "1" : "0",
    TEST_KV_URL: server.url,
    DENO_KV_ACCESS_TOKEN: TEST_TOKEN,
  });
}
