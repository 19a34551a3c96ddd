import type { KvAtomic, KvLike } from "./kv_like.ts";

/** Who is told of each call. */
export interface Observer {
  /** Runs a call under a name, such as `store.commit`. */
  inSpan<T>(name: string, call: () => Promise<T>): Promise<T>;
  /** What came of a commit. */
  committed(result: "applied" | "lost" | "failed"): void;
}

/** The same store, whose reads and commits somebody is told of. */
export function observedKv(kv: KvLike, observer: Observer): KvLike {
  const { inSpan } = observer;
  return {
    isEmbedded: kv.isEmbedded,
    get: (key, options) => inSpan("store.get", () => kv.get(key, options)),
    getMany: (keys) => inSpan("store.getMany", () => kv.getMany(keys)),
    list: (selector, options) => kv.list(selector, options),
    atomic: () => observedAtomic(kv.atomic(), observer),
    watch: (keys) => kv.watch(keys),
    close: () => kv.close(),
  };
}

function observedAtomic(atomic: KvAtomic, observer: Observer): KvAtomic {
  return {
    check: (...checks) => atomic.check(...checks),
    set: (key, value, options) => atomic.set(key, value, options),
    delete: (key) => atomic.delete(key),
    sum: (key, count) => atomic.sum(key, count),
    commit: () =>
      observer.inSpan("store.commit", async () => {
        try {
          const ended = await atomic.commit();
          observer.committed(ended.ok ? "applied" : "lost");
          return ended;
        } catch (failure) {
          observer.committed("failed");
          throw failure;
        }
      }),
    ...atomic.settle && { settle: atomic.settle.bind(atomic) },
  };
}
