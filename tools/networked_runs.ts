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
  /** Whether each file has an isolate of its own, side by side. */
  isParallel: boolean;
  files: readonly string[];
}

/** A round trip of so many ms, more or less. */
function away(ms: number): Partial<Settings> {
  return { readMs: ms, writeMs: ms, jitter: 0.25 };
}

/** Of a hundred calls five are answered 503 by what stands in front. */
const FAULTS: Partial<Settings> = { share503: 0.05 };

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
  "chunked_values",
  "current_hold",
  "dump",
  "restore",
  "restore_hold",
  "serializability",
  "upgraded_rows",
].map((name) => `tests/kv/${name}_test.ts`);

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
  run("store_0ms", away(0), [...STORE, ...LONG_STORE], true),
  run("store_20ms", away(20), STORE, true),
  run("store_60ms", away(60), STORE, true),
  run("simulation_0ms", { ...away(0), ...FAULTS }, SIMULATION, false),
  run("processes_20ms", { ...away(20), ...FAULTS }, PROCESSES, false),
  run("crashes_60ms", { ...away(60), ...FAULTS }, CRASHES, false),
];

function run(
  name: string,
  settings: Partial<Settings>,
  files: readonly string[],
  isParallel: boolean,
): NetworkedRun {
  return { name, settings, files, isParallel };
}

/** Starts a server, has the tests run with its variables, and stops it. */
export async function withServer<T>(
  settings: Partial<Settings>,
  work: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  await using server = startKvConnect(settings);
  return await work({
    TEST_KV_URL: server.url,
    DENO_KV_ACCESS_TOKEN: TEST_TOKEN,
  });
}
