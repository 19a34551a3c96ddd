import { sleep } from "../adapters/time/system_time.ts";
import { type Config, ConfigError } from "../config/config.ts";
import type { StoreAlarm } from "../domain/alerts/store_alarm.ts";
import { TemporaryFailure } from "../domain/failure.ts";
import type { Log } from "../domain/ports.ts";
import type { KvLike } from "../kv/kv_like.ts";
import { openKv } from "../kv/open.ts";

/** What a store is opened with. */
export interface OpenStoreOptions {
  config: Config;
  log: Log;
  /** Told once when the store does not answer and is waited for. */
  onStoreAwaited?: () => void;
  /** Tells operators of a store that a start waits for as of any other. */
  alarm?: Pick<StoreAlarm, "changed" | "close">;
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
  const { config, log, pause } = options;
  // A store that nobody has read may be a drill's, which has to reach nobody:
  // nothing tells them apart so early but where mails go.
  const alarm = config.mailUrl === "outbox:" ? undefined : options.alarm;
  let awaited = false;
  const onAwaited = (why: string) => {
    awaited = true;
    log.error("store.awaited", { why });
    options.onStoreAwaited?.();
    alarm?.changed(why);
  };
  const logsChanges = config.backups !== null;
  const open = () => openKv(locationOf(config), { logsChanges });
  const kv = await untilAnswered(open, {
    onAwaited,
    ...pause && { pause },
  }).catch((error) => {
    alarm?.close();
    throw cannotOpen(config, error);
  });
  if (awaited) {
    log.info("store.reached");
    alarm?.changed(null);
  }
  return kv;
}

/** How a start waits for an answer. */
export interface Waiting {
  /** Told once, when the first attempt had none. */
  onAwaited?: ((why: string) => void) | undefined;
  pause?: () => Promise<void>;
}

/** Runs what a start needs of the store, again and again until it is answered. */
export async function untilAnswered<T>(
  run: () => Promise<T>,
  { onAwaited, pause = () => sleep(PAUSE_MS) }: Waiting = {},
): Promise<T> {
  for (let isFirst = true;; isFirst = false) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof TemporaryFailure)) throw error;
      if (isFirst) onAwaited?.(error.message);
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
