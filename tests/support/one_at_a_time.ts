import type { KvAtomic, KvEntries, KvLike } from "../../kv/kv_like.ts";

/** Turns of the event loop after an answer, so that whoever got it asks on. */
const QUIET_TURNS = 3;

/**
 * A store with one thread: it answers one call after the other, in the order
 * they came, and counts calls and the rows it reads.
 */
export class OneAtATime implements KvLike {
  readonly #kv: KvLike;
  #last: Promise<unknown> = Promise.resolve();
  /** Calls that were answered. */
  calls = 0;
  /** Rows that were asked for by key, or listed. */
  rows = 0;
  /** Whether it takes time for each call; the calls before a test need none. */
  isSlow = false;

  constructor(kv: KvLike) {
    this.#kv = kv;
  }

  get<T>(
    key: Deno.KvKey,
    options?: { consistency?: Deno.KvConsistencyLevel },
  ): Promise<Deno.KvEntryMaybe<T>> {
    return this.#kv.get<T>(key, options);
  }

  getMany(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
    return this.#call(() => {
      this.rows += keys.length;
      return this.#kv.getMany(keys);
    });
  }

  list<T>(
    selector: Deno.KvListSelector,
    options?: Deno.KvListOptions,
  ): KvEntries<T> {
    const entries = this.#kv.list<T>(selector, options);
    const page = () =>
      this.#call(async () => {
        const all = await Array.fromAsync(entries);
        this.rows += all.length;
        return all;
      });
    async function* travelling() {
      yield* await page();
    }
    const travelled = travelling();
    return {
      get cursor() {
        return entries.cursor;
      },
      next: () => travelled.next() as Promise<IteratorResult<Deno.KvEntry<T>>>,
      [Symbol.asyncIterator]: () => travelled,
    };
  }

  atomic(): KvAtomic {
    const atomic = this.#kv.atomic();
    return {
      check: (...checks) => atomic.check(...checks),
      set: (key, value, options) => atomic.set(key, value, options),
      delete: (key) => atomic.delete(key),
      sum: (key, count) => atomic.sum(key, count),
      commit: () => this.#call(() => atomic.commit()),
    };
  }

  watch(keys: Deno.KvKey[]): ReadableStream<Deno.KvEntryMaybe<unknown>[]> {
    return this.#kv.watch(keys);
  }

  close(): void {
    this.#kv.close();
  }

  /** Settles once it has answered so many more calls. */
  async answers(count: number): Promise<void> {
    const until = this.calls + count;
    while (this.calls < until) {
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }

  #call<T>(run: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(async () => {
      const value = await run();
      this.calls += 1;
      return value;
    });
    this.#last = answer.then(() => this.#passes(), () => {});
    return answer;
  }

  async #passes(): Promise<void> {
    for (let turn = 0; this.isSlow && turn < QUIET_TURNS; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
}
