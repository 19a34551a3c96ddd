import { deadline } from "./deadlines.ts";
import type { KvLike } from "./kv_like.ts";
import { atTurnsEnd } from "./turns_end.ts";

/** Keys of one read of the store. */
const KEYS_MAX = 10;
/** Reads under way at the same time; more would only wait inside the store. */
const UNDER_WAY_MAX = 3;
/** A read that has not come by then no longer keeps others waiting. */
const FORGOTTEN_AFTER_MS = 2_000;

type Entries = Deno.KvEntryMaybe<unknown>[];

interface Asked {
  keys: readonly Deno.KvKey[];
  resolve: (entries: Entries) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets reads that wait for the embedded store travel together. Handing a read
 * over to the store's thread costs more than the read, so those of one turn of
 * the event loop are put into one, and while three are under way, those that
 * come wait for the next. It begins after all of them were asked for: what any
 * of them sees is as fresh as if it had gone alone. Decision 0080 says why.
 */
export function sharedReads(kv: KvLike): KvLike {
  const waiting: Asked[] = [];
  let underWay = 0;

  function next(): void {
    while (underWay < UNDER_WAY_MAX && waiting.length > 0) {
      send(takeTogether(waiting));
    }
  }

  function send(together: readonly Asked[]): void {
    underWay += 1;
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      underWay -= 1;
      next();
    };
    const callOff = deadline(FORGOTTEN_AFTER_MS, leave);
    kv.getMany(together.flatMap(({ keys }) => keys)).then(
      (entries) => share(together, entries),
      (error) => together.forEach(({ reject }) => reject(error)),
    ).finally(() => {
      callOff();
      leave();
    });
  }

  const begin = atTurnsEnd(next);
  return {
    get: (key, options) => kv.get(key, options),
    getMany(keys) {
      return new Promise((resolve, reject) => {
        waiting.push({ keys, resolve, reject });
        begin();
      });
    },
    list: (selector, options) => kv.list(selector, options),
    atomic: () => kv.atomic(),
    watch: (keys) => kv.watch(keys),
    close: () => kv.close(),
  };
}

/** As many as fit into one read, in their order; one at least. */
function takeTogether(waiting: Asked[]): readonly Asked[] {
  let keys = 0;
  let count = 0;
  for (const asked of waiting) {
    keys += asked.keys.length;
    if (count > 0 && keys > KEYS_MAX) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

function share(together: readonly Asked[], entries: Entries): void {
  let at = 0;
  for (const { keys, resolve } of together) {
    resolve(entries.slice(at, at + keys.length));
    at += keys.length;
  }
}
