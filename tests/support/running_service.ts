import { type Config, parseConfig } from "../../config.ts";
import type { Clock } from "../../domain/ports.ts";
import type { KvLike } from "../../kv/kv_like.ts";
import { openKv } from "../../kv/open.ts";
import { assertLogKeepsSecrets } from "./log_secrets.ts";
import { type Service, startService } from "../../service.ts";

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

/** What a test may choose. */
export interface RunOptions {
  env?: Record<string, string>;
  clock?: Clock;
  /** A store of the test's own; it is closed with the service. */
  kv?: KvLike;
}

/** Starts a whole service in this process, without background jobs. */
export async function runService(
  options: RunOptions = {},
): Promise<RunningService> {
  const lines: Uint8Array[] = [];
  const service = await startService(
    parseConfig({ ...TEST_ENVIRONMENT, ...options.env }),
    {
      kv: options.kv ?? await openKv(":memory:"),
      ...(options.clock ? { clock: options.clock } : {}),
      graceMs: 0,
      sink(bytes) {
        lines.push(bytes.slice());
        return Promise.resolve();
      },
    },
  );
  const logged = () =>
    lines.map((line) => new TextDecoder().decode(line)).join("");
  return {
    service,
    config: service.config,
    logged,
    async [Symbol.asyncDispose]() {
      await service.stop();
      assertLogKeepsSecrets(logged());
    },
  };
}
