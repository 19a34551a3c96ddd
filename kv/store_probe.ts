import { monotonicMs, startTimer } from "../adapters/time/system_time.ts";
import type { StartTimer } from "../domain/ports.ts";
import { Circuit, DeadlinePassed } from "./circuit.ts";
import {
  DEFAULT_PATIENCE,
  isLocked,
  isMisuse,
  type Patience,
} from "./guard.ts";
import { keys } from "./keys.ts";
import type { KvLike } from "./kv_like.ts";
import { withoutUrls } from "./open_remote.ts";

/** Between two probes while all is well, ms. */
export const PROBE_MS = 10_000;
/** The same while it is not: the service is back within a second. */
export const PROBE_DOWN_MS = 500;
/** Probes without an answer; the client of the platform goes on sending them. */
const HANGING_MAX = 8;
/** Longest reason that is told, characters. */
const WHY_MAX = 200;

/** What a store is probed with. */
export interface StoreProbeOptions {
  kv: KvLike;
  /** Told once when the store is down, and why; null once it is back. */
  onChange: (why: string | null) => void;
  /** What a test brings. */
  callMs?: number;
  nowMs?: () => number;
  startTimer?: StartTimer;
}

/**
 * Finds out whether the store takes writes, by writing a row of its own every so
 * often, one write at a time: a disk that is full or read-only answers every
 * read. It also looks at once when a call has failed, and holds the circuit
 * through which all calls go.
 */
export class StoreProbe {
  /** With it, calls fail at once while the store is silent. */
  readonly patience: Patience;
  readonly #circuit: Circuit;
  readonly #options: StoreProbeOptions;
  readonly #startTimer: StartTimer;
  #why: string | null = null;
  #looking: Promise<void> | null = null;
  #hanging = 0;
  #stopped = false;
  #callOff = () => {};
  #isSoon = false;

  constructor(options: StoreProbeOptions) {
    const { callMs = DEFAULT_PATIENCE.callMs } = options;
    this.#options = options;
    this.#startTimer = options.startTimer ?? startTimer;
    this.#circuit = new Circuit({
      callMs,
      nowMs: options.nowMs ?? monotonicMs,
      startTimer: this.#startTimer,
      onTrouble: (error) => this.#suspect(error),
    });
    this.patience = { ...DEFAULT_PATIENCE, callMs, circuit: this.#circuit };
  }

  /** Why the store is down, in its own words; null while it is not. */
  get why(): string | null {
    return this.#why;
  }

  /** Probes now, and from now on by itself; resolves when that has ended. */
  look(): Promise<void> {
    this.#callOff();
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
      this.#plan(this.#why === null ? PROBE_MS : PROBE_DOWN_MS);
    });
    return this.#looking;
  }

  /** Ends it, once the probe under way has an answer or none in time. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#callOff();
    await this.#looking;
  }

  #plan(pauseMs: number): void {
    if (this.#stopped) return;
    this.#callOff();
    this.#callOff = this.#startTimer(() => void this.look(), pauseMs);
    this.#isSoon = pauseMs === PROBE_DOWN_MS;
  }

  async #look(): Promise<void> {
    if (this.#hanging >= HANGING_MAX) return;
    try {
      await this.#circuit.probe("commit", () => this.#write());
      this.#note(null);
    } catch (error) {
      // A store that another process keeps busy is not down.
      if (!isLocked(error)) this.#note(reasonOf(error));
    }
  }

  /** One that has no answer by its deadline is hanging until it has one. */
  async #write(): Promise<void> {
    this.#hanging++;
    try {
      const atomic = this.#options.kv.atomic();
      atomic.set(keys.storeProbe(), true);
      await atomic.commit();
    } finally {
      this.#hanging--;
    }
  }

  /** A call has failed, which may be its own fault: the next probe tells. */
  #suspect(error: unknown): void {
    if (this.#why !== null || this.#looking !== null) return;
    if (isLocked(error) || isMisuse(error)) return;
    if (!(error instanceof DeadlinePassed)) {
      if (!this.#isSoon) this.#plan(PROBE_DOWN_MS);
      return;
    }
    // What is silent has made somebody wait for long enough.
    this.#note(reasonOf(error));
    if (!this.#stopped) void this.look();
  }

  #note(why: string | null): void {
    const changes = (why === null) !== (this.#why === null);
    this.#why = why;
    if (changes && !this.#stopped) this.#options.onChange(why);
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return withoutUrls(text).slice(0, WHY_MAX) || "no answer in time";
}
