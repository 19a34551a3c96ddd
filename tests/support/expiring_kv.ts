import type { KvAtomic, KvEntries, KvLike } from "../../kv/kv_like.ts";
import type { ManualClock } from "./clock.ts";
import { MemoryKv } from "./memory_kv.ts";
import { orderedText } from "./ordered_key.ts";

/**
 * A store in memory that deletes what has expired by the clock of the test, as
 * Deno KV does by its own: what a row was not told to expire at stays for ever.
 */
export class ExpiringKv implements KvLike {
  readonly isEmbedded = true;
  readonly #kv = new MemoryKv();
  readonly #clock: ManualClock;
  readonly #moments = new Map<string, { key: Deno.KvKey; atMs: number }>();

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  /** Deletes what is due by now. */
  async expire(): Promise<void> {
    const nowMs = this.#clock.now();
    for (const [text, { key, atMs }] of this.#moments) {
      if (atMs > nowMs) continue;
      const atomic = this.#kv.atomic();
      atomic.delete(key);
      await atomic.commit();
      this.#moments.delete(text);
    }
  }

  get<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return this.#kv.get<T>(key);
  }

  getMany(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
    return this.#kv.getMany(keys);
  }

  list<T>(
    selector: Deno.KvListSelector,
    options?: Deno.KvListOptions,
  ): KvEntries<T> {
    return this.#kv.list<T>(selector, options);
  }

  atomic(): KvAtomic {
    const real = this.#kv.atomic();
    const then: (() => void)[] = [];
    const forget = (key: Deno.KvKey) =>
      then.push(() => this.#moments.delete(orderedText(key)));
    const atomic: KvAtomic = {
      check: (...checks) => (real.check(...checks), atomic),
      set: (key, value, options) => {
        real.set(key, value);
        forget(key);
        const expireIn = options?.expireIn;
        if (expireIn === undefined) return atomic;
        const moment = { key, atMs: this.#clock.now() + expireIn };
        then.push(() => this.#moments.set(orderedText(key), moment));
        return atomic;
      },
      delete: (key) => (real.delete(key), forget(key), atomic),
      sum: (key, count) => (real.sum(key, count), atomic),
      commit: async () => {
        const ended = await real.commit();
        if (ended.ok) then.forEach((each) => each());
        return ended;
      },
    };
    return atomic;
  }

  watch(): ReadableStream<never> {
    return this.#kv.watch();
  }

  close(): void {
    this.#kv.close();
  }
}
