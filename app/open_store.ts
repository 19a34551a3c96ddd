import { sleep } from "../adapters/time/system_time.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { StoreUnavailable } from "../domain/failure.ts";
import type { Log } from "../domain/ports.ts";
import type { KvLike } from "../kv/kv_like.ts";
import { openKv } from "../kv/open.ts";

/** What a store is opened with. */
export interface OpenStoreOptions {
  config: Config;
  log: Log;
  /** Told once when the store does not answer and is waited for. */
  onStoreAwaited?: () => void;
  /** Waits between two attempts; tests do not. */
  pause?: () => Promise<void>;
}

const PAUSE_MS = 1_000;

/**
 * Opens the store that the configuration names. One on another machine may come
 * up later than this one: it is waited for.
 *
 * @throws {ConfigError} when waiting would not help
 */
export async function openStore(options: OpenStoreOptions): Promise<KvLike> {
  const { config, log } = options;
  const pause = options.pause ?? (() => sleep(PAUSE_MS));
  for (let waits = false;; waits = true) {
    try {
      const kv = await openKv(locationOf(config));
      if (waits) log.info("store.reached");
      return kv;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw cannotOpen(config, error);
      if (!waits) {
        log.error("store.awaited", { why: error.message });
        options.onStoreAwaited?.();
      }
    }
    await pause();
  }
}

/** A store that can't be opened is a mistake of the set-up, mostly. */
function cannotOpen({ store }: Config, cause: unknown): ConfigError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const which = NAMED_BY[store.kind];
  return new ConfigError(
    `Cannot start: the store that ${which} cannot be opened: ${why}`,
    { cause },
  );
}

const NAMED_BY: Readonly<Record<Config["store"]["kind"], string>> = {
  file: "DATA_DIR names",
  remote: "KV_URL names",
  managed: "the platform provides",
};

function locationOf({ store }: Config): string | undefined {
  if (store.kind === "managed") return undefined;
  return store.kind === "file" ? store.path : store.url;
}
