/** The part of `Deno.Kv` the project uses, so that tests can stand between. */
export interface KvLike {
  /** A file of this machine or its memory; absent for what is over a network. */
  readonly isEmbedded?: boolean | undefined;
  get<T>(
    key: Deno.KvKey,
    options?: { consistency?: Deno.KvConsistencyLevel },
  ): Promise<Deno.KvEntryMaybe<T>>;
  getMany(keys: readonly Deno.KvKey[]): Promise<Deno.KvEntryMaybe<unknown>[]>;
  list<T>(
    selector: Deno.KvListSelector,
    options?: Deno.KvListOptions,
  ): KvEntries<T>;
  atomic(): KvAtomic;
  watch(keys: Deno.KvKey[]): ReadableStream<Deno.KvEntryMaybe<unknown>[]>;
  close(): void;
}

/** The entries of a list; `cursor` says where to go on. */
export interface KvEntries<T> extends AsyncIterable<Deno.KvEntry<T>> {
  readonly cursor: string;
  next(): Promise<IteratorResult<Deno.KvEntry<T>, undefined>>;
}

/** One mutation of a commit. */
export type KvWrite =
  | { kind: "set"; key: Deno.KvKey; value: unknown }
  | { kind: "delete"; key: Deno.KvKey }
  | { kind: "sum"; key: Deno.KvKey; count: bigint };

/** The part of `Deno.AtomicOperation` the project uses. */
export interface KvAtomic {
  check(...checks: Deno.AtomicCheck[]): unknown;
  set(
    key: Deno.KvKey,
    value: unknown,
    options?: { expireIn?: number },
  ): unknown;
  delete(key: Deno.KvKey): unknown;
  sum(key: Deno.KvKey, count: bigint): unknown;
  commit(): Promise<Deno.KvCommitResult | Deno.KvCommitError>;
  /**
   * Ends a commit that has no answer: from then on it either has applied, and
   * this answers what it wrote, or it never will, `null`. Only what
   * `kv/marked_commits.ts` makes can do so.
   *
   * @throws when the store does not answer; ask again
   */
  settle?(): Promise<Deno.KvCommitResult | null>;
}

/** Sees a `Deno.Kv` through the narrow interface. */
export function asKvLike(kv: Deno.Kv): KvLike {
  return {
    get: (key, options) => kv.get(key, options),
    getMany: (keys) => kv.getMany(keys as [Deno.KvKey]),
    list: (selector, options) => kv.list(selector, options),
    atomic: () => kv.atomic(),
    watch: (keys) =>
      kv.watch(keys) as ReadableStream<Deno.KvEntryMaybe<unknown>[]>,
    close: () => kv.close(),
  };
}
