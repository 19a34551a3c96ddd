import { deserialize, serialize } from "node:v8";
import type { KvAtomic, KvEntries, KvLike, KvWrite } from "../../kv/kv_like.ts";
import { orderedText } from "./ordered_key.ts";

/** As the embedded store has them. */
const CHECKS_MAX = 100;
const WRITES_MAX = 1_000;
const READ_MAX = 10;
const VALUE_MAX_BYTES = 65_536;
const COMMIT_MAX_BYTES = 819_200;

type Entry = Deno.KvEntry<unknown>;
type Ended = Deno.KvCommitResult | Deno.KvCommitError;

/**
 * A store in this process's memory that answers as Deno KV does, within the turn
 * of the event loop that asks, which is what a long story spends its time on
 * otherwise. Nobody may change what it answers, as it is not read anew for each.
 * What expires stays, as nobody may count on its going. `memory_kv_test.ts`
 * compares it with the real one.
 */
export class MemoryKv implements KvLike {
  readonly isEmbedded = true;
  readonly #rows = new Map<string, Entry>();
  /** The texts of all keys, in the order of the keys. */
  readonly #order: string[] = [];
  #version = 0;

  get<T>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return Promise.resolve(this.#find(key) as Deno.KvEntryMaybe<T>);
  }

  getMany(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]> {
    if (keys.length > READ_MAX) return tooMany(`ranges (max ${READ_MAX})`);
    return Promise.resolve(keys.map((key) => this.#find(key)));
  }

  list<T>(
    selector: Deno.KvListSelector,
    options: Deno.KvListOptions = {},
  ): KvEntries<T> {
    const begun = this.#listed(selector, options);
    let cursor = "";
    async function* entries() {
      for (const { text, entry } of await begun()) {
        cursor = btoa(text);
        yield entry as Deno.KvEntry<T>;
      }
      return undefined;
    }
    const listed = entries();
    return {
      get cursor() {
        return cursor;
      },
      next: () => listed.next(),
      [Symbol.asyncIterator]: () => listed,
    };
  }

  atomic(): KvAtomic {
    const checks: Deno.AtomicCheck[] = [];
    const writes: KvWrite[] = [];
    const atomic: KvAtomic = {
      check: (...more) => (checks.push(...more), atomic),
      set: (key, value) => (writes.push({ kind: "set", key, value }), atomic),
      delete: (key) => (writes.push({ kind: "delete", key }), atomic),
      sum: (key, count) => (writes.push({ kind: "sum", key, count }), atomic),
      commit: () => this.#commit(checks, writes),
    };
    return atomic;
  }

  watch(): ReadableStream<never> {
    throw new TypeError("Cannot watch a store that tells nobody");
  }

  close(): void {
    this.#rows.clear();
    this.#order.length = 0;
  }

  #find(key: Deno.KvKey): Deno.KvEntryMaybe<unknown> {
    const entry = this.#rows.get(orderedText(key));
    return entry ?? { key: [...key], value: null, versionstamp: null };
  }

  /** What a list finds, when it is first asked for an entry. */
  #listed(
    selector: Deno.KvListSelector,
    { limit = Infinity, reverse = false, cursor }: Deno.KvListOptions,
  ): () => Promise<{ text: string; entry: Entry }[]> {
    return () => {
      let { start, end } = boundsOf(selector);
      if (start > end) {
        return Promise.reject(
          new TypeError("Start key is greater than end key"),
        );
      }
      if (cursor && reverse) end = atob(cursor);
      else if (cursor) start = `${atob(cursor)}\0`;
      const texts = this.#order.slice(this.#place(start), this.#place(end));
      if (reverse) texts.reverse();
      return Promise.resolve(
        texts.slice(0, limit).flatMap((text) => {
          const entry = this.#rows.get(text);
          return entry ? [{ text, entry }] : [];
        }),
      );
    };
  }

  #commit(
    checks: readonly Deno.AtomicCheck[],
    writes: readonly KvWrite[],
  ): Promise<Ended> {
    if (checks.length > CHECKS_MAX) {
      return tooMany(`checks (max ${CHECKS_MAX})`);
    }
    if (writes.length > WRITES_MAX) {
      return tooMany(`mutations (max ${WRITES_MAX})`);
    }
    const isStale = checks.some(({ key, versionstamp }) =>
      this.#find(key).versionstamp !== versionstamp
    );
    // What is no value is refused before anything is compared.
    const values = new Map<KvWrite, unknown>();
    let bytes = 0;
    for (const write of writes) {
      if (write.kind !== "set") continue;
      const kept = keptOf(write.value);
      if (kept === null) {
        return tooLarge(`Value (max ${VALUE_MAX_BYTES} bytes)`);
      }
      bytes += kept.bytes;
      values.set(write, kept.value);
    }
    if (bytes > COMMIT_MAX_BYTES) {
      return tooLarge(`Total mutation size (max ${COMMIT_MAX_BYTES} bytes)`);
    }
    if (isStale) return Promise.resolve({ ok: false });
    const versionstamp = (++this.#version).toString(16).padStart(20, "0");
    for (const write of writes) {
      if (write.kind === "delete") this.#drop(write.key);
      else {
        const value = write.kind === "sum"
          ? this.#summed(write.key, write.count)
          : values.get(write);
        this.#put({ key: [...write.key], value, versionstamp });
      }
    }
    return Promise.resolve({ ok: true, versionstamp });
  }

  #summed(key: Deno.KvKey, count: bigint): Deno.KvU64 {
    const { value, versionstamp } = this.#find(key);
    if (versionstamp === null) return new Deno.KvU64(count);
    if (!(value instanceof Deno.KvU64)) {
      throw new TypeError(
        "Failed to perform 'sum' mutation on a non-U64 value in the database",
      );
    }
    return new Deno.KvU64(BigInt.asUintN(64, value.value + count));
  }

  #put(entry: Entry): void {
    const text = orderedText(entry.key);
    if (!this.#rows.has(text)) this.#order.splice(this.#place(text), 0, text);
    this.#rows.set(text, entry);
  }

  #drop(key: Deno.KvKey): void {
    const text = orderedText(key);
    if (this.#rows.delete(text)) this.#order.splice(this.#place(text), 1);
  }

  /** Where the first key that is not before this one is. */
  #place(text: string): number {
    let [from, to] = [0, this.#order.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#order[middle] ?? "") < text) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** A copy that nobody changes; null for what is too large. */
function keptOf(value: unknown): { value: unknown; bytes: number } | null {
  if (value instanceof Deno.KvU64) return { value, bytes: 8 };
  const bytes = serialize(value);
  if (bytes.length > VALUE_MAX_BYTES) return null;
  return { value: frozen(deserialize(bytes)), bytes: bytes.length };
}

/** Bytes can't be frozen. */
function frozen(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (ArrayBuffer.isView(value)) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

function boundsOf(selector: Deno.KvListSelector): {
  start: string;
  end: string;
} {
  if (!("prefix" in selector)) {
    const { start, end } = selector;
    return { start: orderedText(start), end: orderedText(end) };
  }
  const prefix = orderedText(selector.prefix);
  const within = {
    start: "start" in selector ? orderedText(selector.start) : `${prefix}\0`,
    end: "end" in selector ? orderedText(selector.end) : `${prefix}\xff`,
  };
  return within;
}

function tooMany(what: string): Promise<never> {
  return Promise.reject(new TypeError(`Too many ${what}`));
}

function tooLarge(what: string): Promise<never> {
  return Promise.reject(new TypeError(`${what} too large`));
}
