import { startTimer } from "../adapters/time/system_time.ts";
import { DEFAULT_PATIENCE, guardedRead, type Patience } from "./guard.ts";
import { keys } from "./keys.ts";
import type { KvLike } from "./kv_like.ts";

/** Runs a function later, never at once; answers how to call it off. */
export type Timer = (run: () => void, ms: number) => () => void;

/** How the version is watched. */
export interface WatchOptions {
  /** Between two looks, ms. */
  pollMs?: number;
  /** Told of every failure; none of them ends the watching. */
  onError?: (error: unknown) => void;
  patience?: Patience;
  timer?: Timer;
}

/** A watch under way. */
export interface VersionWatch {
  /** Ends the watch, once what it has begun is done. Never rejects. */
  stop(): Promise<void>;
}

/** Often enough that a removal is seen everywhere in 5 s (contract §2.6). */
export const POLL_MS = 2_000;
/** The same where the store's watch reaches every process, should it fall silent. */
export const WATCHED_POLL_MS = 4_000;

/**
 * Calls back with each new version of the public Spotlights, the first one
 * included (`""` when there is none yet), never twice at once. The store's own
 * watch tells of a change at once, but not across processes on one file, so the
 * version is also polled. A version whose callback rejects counts as not seen,
 * and is told again at the next look.
 */
export function watchSpotlightsVersion(
  kv: Pick<KvLike, "get" | "watch">,
  onChange: (version: string) => Promise<void> | void,
  options: WatchOptions = {},
): VersionWatch {
  const watch = new Watch(kv, onChange, options);
  watch.start();
  return watch;
}

class Watch implements VersionWatch {
  readonly #kv: Pick<KvLike, "get" | "watch">;
  readonly #onChange: (version: string) => Promise<void> | void;
  readonly #options: Required<WatchOptions>;
  #stopped = false;
  #seen: string | null = null;
  /** How often the store's watch has told of a version. */
  #pushes = 0;
  /** The newest version to tell of, and the telling under way. */
  #newest: string | null = null;
  #telling: Promise<void> = Promise.resolve();
  #isTelling = false;
  #reader: ReadableStreamDefaultReader<Deno.KvEntryMaybe<unknown>[]> | null =
    null;
  /** Pauses under way; stopping ends them. */
  readonly #wakers = new Set<() => void>();
  #loops: Promise<void>[] = [];

  constructor(
    kv: Pick<KvLike, "get" | "watch">,
    onChange: (version: string) => Promise<void> | void,
    options: WatchOptions,
  ) {
    this.#kv = kv;
    this.#onChange = onChange;
    this.#options = {
      pollMs: POLL_MS,
      onError: () => {},
      patience: DEFAULT_PATIENCE,
      timer: startTimer,
      ...options,
    };
  }

  start(): void {
    this.#loops = [
      this.#repeat(() => this.#look()),
      this.#repeat(() => this.#listen()),
    ];
  }

  readonly stop = async (): Promise<void> => {
    this.#stopped = true;
    for (const wake of this.#wakers) wake();
    await this.#reader?.cancel().catch(() => {});
    await Promise.all(this.#loops);
    await this.#telling;
  };

  /** Does it again and again, whatever comes of it, with a pause between. */
  async #repeat(step: () => Promise<void>): Promise<void> {
    while (!this.#stopped) {
      try {
        await step();
      } catch (error) {
        this.#report(error);
      }
      if (!this.#stopped) await this.#pause();
    }
  }

  async #look(): Promise<void> {
    const before = this.#pushes;
    const entry = await guardedRead(
      () => this.#kv.get(keys.spotlightsVersion()),
      this.#options.patience,
    );
    // What the watch has told of meanwhile may be newer than what was read.
    if (this.#pushes === before) this.#tell(entry.versionstamp);
  }

  /** Follows the store's watch until it ends, as it does on a lost line. */
  async #listen(): Promise<void> {
    const reader = this.#kv.watch([keys.spotlightsVersion()]).getReader();
    this.#reader = reader;
    try {
      while (!this.#stopped) {
        const { done, value } = await reader.read();
        if (done) return;
        const [entry] = value;
        this.#pushes++;
        if (entry) this.#tell(entry.versionstamp);
      }
    } finally {
      this.#reader = null;
      await reader.cancel().catch(() => {});
    }
  }

  #tell(versionstamp: string | null): void {
    this.#newest = versionstamp ?? "";
    if (!this.#isTelling) this.#telling = this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    this.#isTelling = true;
    while (!this.#stopped && this.#newest !== this.#seen) {
      const version = this.#newest ?? "";
      try {
        await this.#onChange(version);
        this.#seen = version;
      } catch (error) {
        this.#report(error);
        // Told again at the next look, unless a newer one has come already.
        if (this.#newest === version) break;
      }
    }
    this.#isTelling = false;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const callOff = this.#options.timer(() => wake(), this.#options.pollMs);
      const wake = () => {
        this.#wakers.delete(wake);
        callOff();
        resolve();
      };
      this.#wakers.add(wake);
    });
  }

  #report(error: unknown): void {
    if (!this.#stopped) this.#options.onError(error);
  }
}
