import { invariant } from "../domain/invariant.ts";
import type {
  Counter,
  Ref,
  Table,
  Tables,
  Transaction,
  Values,
} from "../domain/ports.ts";
import { keys } from "./keys.ts";
import type { KvAtomic } from "./kv_like.ts";
import { counterRef, inside, recordRef, valueOf } from "./refs.ts";
import { type TableDefinition, tables } from "./tables.ts";

/** Checks one commit may carry: what a self-hosted denokv takes. */
export const MAX_CHECKS = 10;
/** Mutations one commit may carry. */
export const MAX_MUTATIONS = 1_000;
/** Keys one `getMany` may name. */
export const MAX_KEYS_READ = 10;

/** Reads several entries of one moment, with deadline and retries. */
export type ReadMany = (
  keys: readonly Deno.KvKey[],
) => Promise<Deno.KvEntryMaybe<unknown>[]>;

type Write =
  | { kind: "set"; key: Deno.KvKey; value: unknown }
  | { kind: "delete"; key: Deno.KvKey }
  | { kind: "sum"; key: Deno.KvKey; count: bigint };

/**
 * One attempt: remembers the versionstamp of all it read and buffers all it
 * writes, for one atomic commit.
 */
export class KvTransaction {
  readonly #readMany: ReadMany;
  readonly #nowMs: () => number;
  readonly #reads = new Map<string, Deno.KvEntryMaybe<unknown>>();
  readonly #writes = new Map<string, Write>();
  /** A counter that `getMany` reads untracked. */
  readonly bidCounts: Counter<Parameters<typeof keys.bidCount>>;

  constructor(readMany: ReadMany, nowMs: () => number) {
    this.#readMany = readMany;
    this.#nowMs = nowMs;
    this.bidCounts = {
      ref: (day) => counterRef(keys.bidCount(day)),
      add: (count, day) => this.#sum(keys.bidCount(day), count),
    };
  }

  /** Whether there is anything to commit. */
  get writes(): boolean {
    return this.#writes.size > 0;
  }

  /** Reads up to 10 records in one round trip; see the port. */
  async getMany<const R extends readonly Ref<unknown>[]>(
    refs: R,
  ): Promise<Values<R>> {
    invariant(
      refs.length <= MAX_KEYS_READ,
      `one read names at most ${MAX_KEYS_READ} records`,
    );
    const wanted = refs.map(inside);
    const missing = wanted.filter((ref) => !this.#reads.has(textOf(ref.key)));
    this.#admitReads(missing.filter((ref) => ref.tracked).length);
    const entries = missing.length === 0
      ? []
      : await this.#readMany(missing.map((ref) => ref.key));
    const fresh = new Map<string, Deno.KvEntryMaybe<unknown>>();
    missing.forEach((ref, at) => {
      const entry = entries[at];
      invariant(entry !== undefined, "the store answers every key it is asked");
      fresh.set(textOf(ref.key), entry);
      if (ref.tracked) this.#reads.set(textOf(ref.key), entry);
    });
    return wanted.map((ref) => {
      const text = textOf(ref.key);
      invariant(
        !this.#writes.has(text),
        "a record is read before it is written",
      );
      const entry = this.#reads.get(text) ?? fresh.get(text);
      invariant(entry !== undefined, "a record that was read is remembered");
      return valueOf(entry, ref.tracked, this.#nowMs());
    }) as Values<R>;
  }

  /** Reads one record and makes it a check. */
  async get<T>(ref: Ref<T>): Promise<T | null> {
    const [value] = await this.getMany([ref]);
    return value as T | null;
  }

  /** Reads one record without making it a check. */
  async peek<T>(ref: Ref<T>): Promise<T | null> {
    const { key, tracked } = inside(ref);
    const [entry] = await this.#readMany([key]);
    invariant(entry !== undefined, "the store answers every key it is asked");
    return valueOf<T>(entry, tracked, this.#nowMs());
  }

  /** Buffers a write. */
  set(key: Deno.KvKey, value: unknown): void {
    this.#write({ kind: "set", key, value });
  }

  /** Buffers a removal. */
  delete(key: Deno.KvKey): void {
    this.#write({ kind: "delete", key });
  }

  /** Tells every isolate that the public Spotlights changed. */
  touchSpotlights(): void {
    this.set(keys.spotlightsVersion(), this.#nowMs());
  }

  /** Puts all checks and writes of this attempt on an atomic operation. */
  fill(atomic: KvAtomic): void {
    const checks = [...this.#reads.values()].map(({ key, versionstamp }) => ({
      key,
      versionstamp,
    }));
    if (checks.length > 0) atomic.check(...checks);
    for (const write of this.#writes.values()) {
      if (write.kind === "sum") atomic.sum(write.key, write.count);
      else if (write.kind === "delete") atomic.delete(write.key);
      else atomic.set(write.key, write.value, this.#expiry(write.value));
    }
  }

  #expiry(value: unknown): { expireIn?: number } {
    if (typeof value !== "object" || value === null) return {};
    const { expiresAtMs } = value as { expiresAtMs?: unknown };
    if (typeof expiresAtMs !== "number") return {};
    return { expireIn: Math.max(1, Math.ceil(expiresAtMs - this.#nowMs())) };
  }

  #admitReads(count: number): void {
    invariant(
      this.#reads.size + count <= MAX_CHECKS,
      `one transaction tracks at most ${MAX_CHECKS} reads`,
    );
  }

  #sum(key: Deno.KvKey, count: number): void {
    const text = textOf(key);
    invariant(!this.#reads.has(text), "a summed key is never tracked");
    const before = this.#writes.get(text) ?? { kind: "sum", count: 0n };
    invariant(before.kind === "sum", "a summed key is never written");
    const sum = before.count + BigInt(count);
    this.#write({ kind: "sum", key, count: sum });
  }

  #write(write: Write): void {
    const text = textOf(write.key);
    invariant(
      write.kind === "sum" || this.#writes.get(text)?.kind !== "sum",
      "a summed key is never written",
    );
    this.#writes.set(text, write);
    invariant(
      this.#writes.size <= MAX_MUTATIONS,
      `one commit carries at most ${MAX_MUTATIONS} mutations`,
    );
  }
}

/** Gives an attempt its tables, which is what the domain sees. */
export function withTables(attempt: KvTransaction): Transaction {
  const all: Record<string, unknown> = {};
  for (const [family, definition] of Object.entries(tables)) {
    // Each family's own types are restored by the cast to Tables below.
    all[family] = tableOf(attempt, definition as TableDefinition<object, []>);
  }
  return Object.assign(attempt, all as unknown as Tables);
}

function tableOf<T, Id extends readonly unknown[]>(
  attempt: KvTransaction,
  definition: TableDefinition<T, Id>,
): Table<T, Id> {
  const indexes = definition.indexes ?? (() => []);
  return {
    ref: (...id) => recordRef<T>(definition.key(...id)),
    find: (...id) => attempt.get(recordRef<T>(definition.key(...id))),
    save(value) {
      attempt.set(definition.key(...definition.idOf(value)), value);
      for (const { key, value: row } of indexes(value)) {
        if (row === null) attempt.delete(key);
        else attempt.set(key, row);
      }
    },
    remove(value) {
      attempt.delete(definition.key(...definition.idOf(value)));
      for (const { key } of indexes(value)) attempt.delete(key);
    },
  };
}

function textOf(key: Deno.KvKey): string {
  return JSON.stringify(key);
}
