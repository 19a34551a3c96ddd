import type { KvAtomic, KvLike } from "./kv_like.ts";

/** One connection to a KV server, and how many calls it has no answer to. */
interface Connection {
  readonly kv: KvLike;
  underWay: number;
}

/**
 * Spreads the calls over several connections to one KV server: each goes over
 * one that is idle, and over the first where none is. Deno's client holds a
 * call back while an earlier one on its connection is not acknowledged (Nagle's
 * algorithm), which with few calls takes until that one is answered. Decision
 * 0080 says what it measured.
 *
 * What was committed over one connection is read over any other from the moment
 * it was answered: the server has one order for all.
 */
export function spreadOver(shared: KvLike, others: readonly KvLike[]): KvLike {
  const first: Connection = { kv: shared, underWay: 0 };
  const more = others.map((kv): Connection => ({ kv, underWay: 0 }));

  function idle(): Connection {
    return more.find(({ underWay }) => underWay === 0) ?? first;
  }

  async function call<T>(run: (kv: KvLike) => Promise<T>): Promise<T> {
    const connection = idle();
    connection.underWay++;
    try {
      return await run(connection.kv);
    } finally {
      connection.underWay--;
    }
  }

  return {
    get: (key, options) => call((kv) => kv.get(key, options)),
    getMany: (keys) => call((kv) => kv.getMany(keys)),
    list: (selector, options) => idle().kv.list(selector, options),
    atomic: () => chosenAtLast(call),
    watch: (keys) => shared.watch(keys),
    close: () => [shared, ...others].forEach((kv) => kv.close()),
  };
}

/** An atomic operation that finds its connection when it is committed. */
function chosenAtLast(
  call: <T>(run: (kv: KvLike) => Promise<T>) => Promise<T>,
): KvAtomic {
  const steps: ((atomic: KvAtomic) => unknown)[] = [];
  return {
    check: (...checks) => steps.push((atomic) => atomic.check(...checks)),
    set: (key, value, options) =>
      steps.push((atomic) => atomic.set(key, value, options)),
    delete: (key) => steps.push((atomic) => atomic.delete(key)),
    sum: (key, count) => steps.push((atomic) => atomic.sum(key, count)),
    commit: () =>
      call((kv) => {
        const atomic = kv.atomic();
        for (const step of steps) step(atomic);
        return atomic.commit();
      }),
  };
}
