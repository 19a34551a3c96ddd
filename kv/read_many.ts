import { invariant } from "../domain/invariant.ts";
import { guardedRead, type Patience } from "./guard.ts";
import type { KvLike } from "./kv_like.ts";
import { isPossibleKey } from "./possible_key.ts";

/** Keys one `getMany` may name. */
export const MAX_KEYS_READ = 10;

/**
 * Reads up to 10 entries of one moment, with deadline and retries until
 * `untilMs` on the monotonic clock. A key that nothing can lie under is
 * answered without asking.
 */
export type ReadMany = (
  keys: readonly Deno.KvKey[],
  untilMs?: number,
) => Promise<Deno.KvEntryMaybe<unknown>[]>;

/** Makes the read that everything else reads with. */
export function readManyFrom(
  kv: KvLike,
  patience: Patience,
  onLocked?: () => void,
): ReadMany {
  return async (keys, untilMs) => {
    invariant(
      keys.length <= MAX_KEYS_READ,
      `one read names at most ${MAX_KEYS_READ} records`,
    );
    const asked = keys.filter(isPossibleKey);
    const answers = asked.length === 0
      ? []
      : await guardedRead(() => kv.getMany(asked), patience, untilMs, onLocked);
    invariant(
      answers.length === asked.length,
      "the store answers every key it is asked",
    );
    const answered = new Map(asked.map((key, at) => [key, answers[at]]));
    return keys.map((key) => answered.get(key) ?? absent(key));
  };
}

function absent(key: Deno.KvKey): Deno.KvEntryMaybe<unknown> {
  return { key, value: null, versionstamp: null };
}
