import type { KvAtomic, KvEntries, KvLike } from "../../kv/kv_like.ts";

/** Turns of the event loop without a call after which a round is complete. */
const QUIET_TURNS = 5;

/**
 * A store that answers in rounds: calls that are made before any of them is
 * answered are answered together. So the number of rounds is how many journeys
 * to the store whoever asks has to wait for, however fast this one is.
 */
export class RoundTrips implements KvLike {
  readonly #kv: KvLike;
  #waiting: (() => void)[] = [];
  #underWay = 0;
  #calls = 0;
  #rounds = 0;
  #counting = false;

  constructor(kv: KvLike) {
    this.#kv = kv;
  }

  /** What a function that runs alone waits for. */
  async count(run: () => Promise<unknown>): Promise<number> {
    this.#counting = true;
    this.#rounds = 0;
    await run();
    this.#counting = false;
    return this.#rounds;
  }

  /** Not counted: nothing that answers requests reads so, a timer does. */
  get<T>(
    key: Deno.KvKey,
    options?: { consistency?: Deno.KvConsistencyLevel },
  ): Promise<Deno.KvEntryMaybe<T>> {
    return this.#kv.get<T>(key, options);
  }

  getMany(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
    return this.#call(() => this.#kv.getMany(keys));
  }

  list<T>(
    selector: Deno.KvListSelector,
    options?: Deno.KvListOptions,
  ): KvEntries<T> {
    const entries = this.#kv.list<T>(selector, options);
    const call = <R>(run: () => Promise<R>) => this.#call(run);
    let begun = false;
    return {
      get cursor() {
        return entries.cursor;
      },
      // A page travels in one answer.
      next() {
        if (begun) return entries.next();
        begun = true;
        return call(() => entries.next());
      },
      async *[Symbol.asyncIterator]() {
        const all = await call(() => Array.fromAsync(entries));
        yield* all;
      },
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

  async #call<T>(run: () => Promise<T>): Promise<T> {
    if (!this.#counting) return await run();
    this.#calls += 1;
    this.#underWay += 1;
    try {
      return await run();
    } finally {
      this.#underWay -= 1;
      await this.#round();
    }
  }

  /** Waits for the others of this round. */
  #round(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) void this.#end();
    });
  }

  async #end(): Promise<void> {
    let seen = -1;
    while (seen !== this.#calls || this.#underWay > 0) {
      seen = this.#calls;
      for (let turn = 0; turn < QUIET_TURNS; turn++) {
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    }
    const together = this.#waiting;
    this.#waiting = [];
    this.#rounds += 1;
    for (const go of together) go();
  }
}
