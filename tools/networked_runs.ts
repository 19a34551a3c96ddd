/**
 * What `deno task test:networked` runs over a KV Connect server: which tests, how
 * far away the server is, and which faults its line has.
 *
 * @module
 */
import {
  type KvConnectOptions,
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
  /** Which of their tests, as `deno test --filter` takes it; all without one. */
  filter?: string;
  /** Days that the simulation lives. */
  days?: number;
}

/** A round trip of so many ms, more or less. */
function away(ms: number): Partial<Settings> {
  return { readMs: ms, writeMs: ms, jitter: 0.25 };
}

/** Five calls of a hundred go wrong, some of them when they have applied. */
export const FAULTS: Partial<Settings> = {
  share503: 0.02,
  shareResetBefore: 0.015,
  shareResetAfter: 0.015,
};

function named(folder: string, ...names: string[]): string[] {
  return names.map((name) => `tests/${folder}/${name}_test.ts`);
}

/** Tests that hold over a line with faults, since they count no calls of it. */
const SOUND = named(
  "kv",
  "current_hold",
  "lists",
  "rate_buckets",
  "remembered_rows",
  "two_handles",
);

/** Tests of how the store asks, which a client that repeats calls would spoil. */
const STORE = [
  ...SOUND,
  ...named("kv", "store", "transaction", "watch_version"),
];

/** They send thousands of calls: far away they would take minutes. */
const LONG_STORE = [
  ...named("kv", "chunked_values", "dump", "serializability", "upgraded_rows"),
  ...named("tools", "restore_backup", "restore_hold"),
];

/** The same at any distance, over a line with faults. */
const ANYWHERE = [
  ...SOUND,
  "tests/networked/four_processes.networked.ts",
  "tests/networked/simulation.networked.ts",
];

const CRASHES = named("http", "kill", "webhooks_kill");

/**
 * Runs by the server's distance, each list in its order. Every kind of test is
 * in each of them; of those that take long, each has another part.
 */
export const NETWORKED_RUNS: readonly (readonly NetworkedRun[])[] = [
  runsAt(0, {
    store: LONG_STORE,
    processes: named("http", "oauth_two_processes", "two_processes"),
    crashes: "/creating|told the same events/",
    days: 3,
  }),
  runsAt(20, {
    processes: named("http", "checkout_two_processes", "metrics_two_processes"),
    crashes: "/adding|paying/",
    days: 1,
  }),
  runsAt(60, {
    processes: named("http", "search_two_processes", "two_processes"),
    crashes: "/finalising|a stored event/",
    days: 1,
  }),
];

/** What differs from distance to distance. */
interface Part {
  store?: readonly string[];
  processes: readonly string[];
  crashes: string;
  days: number;
}

function runsAt(
  ms: number,
  { store = [], processes, crashes, days }: Part,
): NetworkedRun[] {
  const [line, faulty] = [away(ms), { ...away(ms), ...FAULTS }];
  return [
    {
      name: `faults_${ms}ms`,
      settings: faulty,
      files: [...processes, ...ANYWHERE],
      days,
    },
    {
      name: `crashes_${ms}ms`,
      settings: faulty,
      files: CRASHES,
      filter: crashes,
    },
    { name: `store_${ms}ms`, settings: line, files: [...STORE, ...store] },
  ];
}

/** Starts a server, has work done with the variables of its tests, and stops it. */
export async function withServer<T>(
  options: KvConnectOptions,
  work: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  await using server = startKvConnect(options);
  const { share503 = 0 } = options;
  return await work({
    TEST_KV_FAULTS: share503 > 0 ? "1" : "0",
    TEST_KV_URL: server.url,
    DENO_KV_ACCESS_TOKEN: TEST_TOKEN,
  });
}
