import { type Config, parseConfig } from "../../config/config.ts";
import { backupKeys } from "../../config/secret_keys.ts";
import type { Clock, Ids, Keys } from "../../domain/ports.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { randomIds } from "../../adapters/crypto/random_ids.ts";
import { DEVELOPMENT } from "../../tools/demo/development.ts";
import { CapturedText, noteKeys, withSecretsSeen } from "./captured_logs.ts";
import { openTestKv } from "./test_kv.ts";
import {
  type Service,
  type ServiceOverrides,
  startService,
} from "../../app/service.ts";

/** A service on free ports over a store in memory. */
export interface RunningService extends AsyncDisposable {
  service: Service;
  config: Config;
  /** Everything it has logged so far. */
  logged(): string;
}

/** The environment of a service that a test starts in its own process. */
export const TEST_ENVIRONMENT: Readonly<Record<string, string>> = {
  ENVIRONMENT: "development",
  DATA_DIR: "unused",
  BASE_URL: "http://localhost:0",
  AUTH_URL: "http://localhost:0",
  DOCS_MCP_URL: "http://localhost:0/mcp",
  SECRETS: "a secret of at least thirty-two bytes",
  STRIPE_API_BASE: "http://localhost:9",
};

/** What its backups are signed with. */
export const TEST_SERVICE_KEYS: Keys | null = backupKeys(
  parseConfig(TEST_ENVIRONMENT),
);

/** What a test may choose. */
export interface RunOptions {
  env?: Record<string, string>;
  clock?: Clock;
  /** Ids and secrets that repeat themselves; random ones unless told. */
  ids?: Ids;
  /** A store of the test's own; it is closed with the service. */
  kv?: KvLike;
  /** Whether the background jobs run by themselves. */
  crons?: boolean;
  /** The time that bodies are waited for by. */
  bodyTime?: ServiceOverrides["bodyTime"];
  /**
   * The clock that tells how long bodies take to be read. It stands still unless
   * told: what a test does in this process is no time that reading takes.
   */
  readingMs?: () => number;
  /** Longest that a stop waits for requests in flight; none unless told. */
  graceMs?: number;
}

/**
 * Starts a whole service in this process. What it logs is looked through when
 * the test ends, for every secret it has made too.
 */
export async function runService(
  options: RunOptions = {},
): Promise<RunningService> {
  const log = new CapturedText("the service");
  const decoder = new TextDecoder();
  const env = { ...TEST_ENVIRONMENT, ...options.env };
  noteKeys(env);
  const service = await startService(
    parseConfig(env),
    {
      kv: options.kv ?? await openTestKv(),
      ...(options.clock ? { clock: options.clock } : {}),
      crons: options.crons ?? false,
      development: DEVELOPMENT,
      ids: withSecretsSeen(options.ids ?? randomIds),
      graceMs: options.graceMs ?? 0,
      ...options.bodyTime && { bodyTime: options.bodyTime },
      readingMs: options.readingMs ?? (() => 0),
      sink(bytes) {
        log.add(decoder.decode(bytes, { stream: true }));
        return Promise.resolve();
      },
    },
  );
  return {
    service,
    config: service.config,
    logged: () => log.text,
    [Symbol.asyncDispose]: () => service.stop(),
  };
}
