import { serialize } from "node:v8";
import type { KvEntries, KvLike } from "../../kv/kv_like.ts";

/** What was read of a store. */
export interface Read {
  rows: number;
  /** Of the values, as they are serialized. */
  bytes: number;
}

/** A store that counts the rows that are read of it, and their bytes. */
export class ReadMeter implements KvLike {
  readonly #kv: KvLike;
  #read: Read = { rows: 0, bytes: 0 };

  constructor(kv: KvLike) {
    this.#kv = kv;
  }

  get isEmbedded(): boolean | undefined {
    return this.#kv.isEmbedded;
  }

  /** What a function that runs alone reads. */
  async count(run: () => Promise<unknown>): Promise<Read> {
    this.#read = { rows: 0, bytes: 0 };
    await run();
    return this.#read;
  }

  async get<T>(
    key: Deno.KvKey,
    options?: { consistency?: Deno.KvConsistencyLevel },
  ): Promise<Deno.KvEntryMaybe<T>> {
    return this.#note(await this.#kv.get<T>(key, options));
  }

  async getMany(
    keys: readonly Deno.KvKey[],
  ): Promise<Deno.KvEntryMaybe<unknown>[]> {
    const entries = await this.#kv.getMany(keys);
    entries.forEach((entry) => this.#note(entry));
    return entries;
  }

  list<T>(
    selector: Deno.KvListSelector,
    options?: Deno.KvListOptions,
  ): KvEntries<T> {
    const entries = this.#kv.list<T>(selector, options);
    const note = (entry: Deno.KvEntry<T>) => this.#note(entry);
    return {
      get cursor() {
        return entries.cursor;
      },
      async next() {
        const found = await entries.next();
        if (!found.done) note(found.value);
        return found;
      },
      async *[Symbol.asyncIterator]() {
        for await (const entry of entries) yield note(entry);
      },
    };
  }

  atomic(): ReturnType<KvLike["atomic"]> {
    return this.#kv.atomic();
  }

  watch(keys: Deno.KvKey[]): ReadableStream<Deno.KvEntryMaybe<unknown>[]> {
    return this.#kv.watch(keys);
  }

  close(): void {
    this.#kv.close();
  }

  #note<E extends { value: unknown }>(entry: E): E {
    this.#read.rows += 1;
    const { value } = entry;
    if (value !== null) this.#read.bytes += serialize(value).byteLength;
    return entry;
  }
}
