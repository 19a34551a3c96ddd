/**
 * Several processes of the service over one store file and one processor.
 *
 * @module
 */
import type { Services } from "../../domain/ports.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { createStore } from "../../kv/store.ts";
import { createStripeClient } from "../../adapters/stripe/stripe_client.ts";
import { createStripeProcessor } from "../../adapters/stripe/stripe_processor.ts";
import { type Simulator, startSimulator } from "../../simulators/stripe/mod.ts";
import { randomIds } from "../../adapters/crypto/random_ids.ts";
import { TEST_SETTINGS } from "./auction_world.ts";
import type { ChildOptions } from "./child_service.ts";
import { TEST_KEYS, TEST_SECRET } from "./keys.ts";
import { OUTSIDE } from "./outside.ts";
import { MemoryLog, noteKeys, withSecretsSeen } from "./captured_logs.ts";
import { CapturedProcess } from "./captured_process.ts";
import { openTestKv, remoteStoreOf } from "./test_kv.ts";

const CHILD = new URL("./child_service.ts", import.meta.url).pathname;
/** The key by which every process asks the simulator. */
export const SECRET_KEY = "sk_test_two_processes";

/** One process of the service. */
export interface ChildService {
  baseUrl: string;
  authUrl: string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
}

/** What the processes share. */
export interface SharedService extends AsyncDisposable {
  simulator: Simulator;
  /** How far every process's clock is ahead of the machine's, ms. */
  clockAheadMs: number;
  /** Works on the store while no process has it open. */
  withStore<T>(work: (services: Services) => Promise<T>): Promise<T>;
  start(options?: Partial<ChildOptions>): Promise<ChildService>;
  /** The store itself, while no process has it open. */
  openStore(): Promise<KvLike>;
}

/** Prepares a folder with a store, a simulator, and no process yet. */
export async function shareService(
  clockAheadMs = 0,
): Promise<SharedService> {
  const dir = await Deno.makeTempDir({ prefix: "spotlight_" });
  const now = () => Date.now() + clockAheadMs;
  const simulator = await startSimulator({
    hostname: "127.0.0.1",
    port: 0,
    booksPath: null,
    secretKey: SECRET_KEY,
    webhook: null,
    now,
    random: Math.random,
  });
  const env = {
    ENVIRONMENT: "development",
    DATA_DIR: dir,
    BASE_URL: "http://localhost:0",
    AUTH_URL: "http://localhost:0",
    DOCS_MCP_URL: "http://localhost:0/mcp",
    SECRETS: TEST_SECRET,
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_API_BASE: simulator.url,
    ...remoteStoreOf(`${dir}/spotlight.sqlite3`),
  };
  const children: ChildService[] = [];
  return {
    simulator,
    clockAheadMs,
    withStore: (work) =>
      withStore(`${dir}/spotlight.sqlite3`, simulator, now, work),
    openStore: () => openTestKv(`${dir}/spotlight.sqlite3`),
    async start(options = {}) {
      const child = await startChild({
        env: { ...env, ...options.env },
        clockAheadMs: options.clockAheadMs ?? clockAheadMs,
        jobsEveryMs: options.jobsEveryMs ?? null,
      });
      children.push(child);
      return child;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map((child) => child.stop()));
      await simulator.stop();
      await Deno.remove(dir, { recursive: true });
    },
  };
}

async function withStore<T>(
  path: string,
  simulator: Simulator,
  now: () => number,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const kv = await openTestKv(path);
  try {
    const clock = { now };
    return await work({
      clock,
      ids: withSecretsSeen(randomIds),
      store: createStore({ kv, clock }),
      processor: createStripeProcessor(createStripeClient({
        secretKey: SECRET_KEY,
        apiBase: simulator.url,
      })),
      ...OUTSIDE,
      keys: TEST_KEYS,
      log: new MemoryLog(),
      settings: TEST_SETTINGS,
    });
  } finally {
    kv.close();
  }
}

async function startChild(options: ChildOptions): Promise<ChildService> {
  noteKeys(options.env);
  const token = options.env.DENO_KV_ACCESS_TOKEN;
  const process = new CapturedProcess({
    args: ["run", "-A", CHILD, JSON.stringify(options)],
    // Deno reads it by itself.
    ...token !== undefined && { env: { DENO_KV_ACCESS_TOKEN: token } },
  });
  const end = async (signal: Deno.Signal) => {
    process.kill(signal);
    await process.ended;
  };
  const line = await process.line((line) => line.startsWith('{"baseUrl":'));
  const { baseUrl, authUrl } = JSON.parse(line);
  return {
    baseUrl,
    authUrl,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}
