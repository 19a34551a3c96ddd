import { invariant } from "../domain/invariant.ts";
import { deadline } from "./deadlines.ts";
import { keyText } from "./key_text.ts";
import type { KvLike } from "./kv_like.ts";
import { keyBytes } from "./possible_key.ts";
import { atTurnsEnd } from "./turns_end.ts";

/** How far reads of a store are put together. */
export interface SharedReadsLimits {
  /** Bytes of the keys of one read, as it is sent. */
  maxBytes: number;
  /** Reads under way at the same time. */
  maxUnderWay: number;
}

/** More reads at a time would only wait inside the store. */
export const EMBEDDED_READS: SharedReadsLimits = {
  maxBytes: Infinity,
  maxUnderWay: 3,
};
/** A call of over 1,024 bytes leaves in two pieces: see `REMOTE_LANES`. */
export const REMOTE_READS: SharedReadsLimits = {
  maxBytes: 960,
  maxUnderWay: Infinity,
};

/** Keys of one read of the store. */
const KEYS_MAX = 10;
/** A call names a key twice, as start and end of a range of one row. */
const RANGE_BYTES = 11;
/** A read that has not come by then no longer keeps others waiting. */
const FORGOTTEN_AFTER_MS = 2_000;

type Entries = Deno.KvEntryMaybe<unknown>[];

interface Asked {
  /** Keys, each with its text, by which keys are told apart. */
  keys: readonly (readonly [text: string, key: Deno.KvKey])[];
  resolve: (entries: Entries) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets reads that wait for the store travel together. Handing a read over to
 * the store's thread, or to its client, costs more than the read, so those of
 * one turn of the event loop are put into one, each key once, and while as many
 * as may are under way, those that come wait for the next. It begins after all
 * of them were asked for: what any of them sees is as fresh as if it had gone
 * alone. Decision 0080 says why.
 */
export function sharedReads(kv: KvLike, limits: SharedReadsLimits): KvLike {
  const waiting: Asked[] = [];
  let underWay = 0;

  function next(): void {
    while (underWay < limits.maxUnderWay && waiting.length > 0) {
      send(takeTogether(waiting, limits.maxBytes));
    }
  }

  function send({ together, keys }: Read): void {
    underWay += 1;
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      underWay -= 1;
      next();
    };
    const callOff = deadline(FORGOTTEN_AFTER_MS, leave);
    kv.getMany([...keys.values()]).then(
      (entries) => share(together, [...keys.keys()], entries),
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
        const named = keys.map((key) => [keyText(key), key] as const);
        waiting.push({ keys: named, resolve, reject });
        begin();
      });
    },
    list: (selector, options) => kv.list(selector, options),
    atomic: () => kv.atomic(),
    watch: (keys) => kv.watch(keys),
    close: () => kv.close(),
  };
}

/** What goes as one, and the keys of all by their texts. */
interface Read {
  together: readonly Asked[];
  keys: ReadonlyMap<string, Deno.KvKey>;
}

/** As many as fit into one read, in their order; one at least. */
function takeTogether(waiting: Asked[], maxBytes: number): Read {
  const keys = new Map<string, Deno.KvKey>();
  let [bytes, count] = [0, 0];
  for (const asked of waiting) {
    const more = asked.keys.filter(([text]) => !keys.has(text));
    if (maxBytes < Infinity) {
      bytes += more.reduce((sum, [, key]) => sum + bytesOf(key), 0);
    }
    const fits = keys.size + more.length <= KEYS_MAX && bytes <= maxBytes;
    if (count > 0 && !fits) break;
    for (const [text, key] of more) keys.set(text, key);
    count += 1;
  }
  return { together: waiting.splice(0, count), keys };
}

function bytesOf(key: Deno.KvKey): number {
  return 2 * keyBytes(key) + RANGE_BYTES;
}

function share(
  together: readonly Asked[],
  texts: readonly string[],
  entries: Entries,
): void {
  const found = new Map(texts.map((text, at) => [text, entries[at]]));
  for (const { keys, resolve } of together) {
    resolve(keys.map(([text]) => {
      const entry = found.get(text);
      invariant(entry !== undefined, "the store answers what it is asked");
      return entry;
    }));
  }
}
