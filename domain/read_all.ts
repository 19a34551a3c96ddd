import type { Store } from "./ports.ts";
import type { Ref } from "./tables.ts";

/** Records that the store reads in one round trip. */
const READ_TOGETHER = 10;

/**
 * Reads records of which there may be many, ten at a time, each as it is when
 * its turn comes.
 *
 * @returns them in the order asked for; null where there is none
 */
export async function readAll<T>(
  store: Pick<Store, "getMany">,
  refs: readonly Ref<T>[],
): Promise<(T | null)[]> {
  const found: (T | null)[] = [];
  for (const some of groupsOf(refs)) {
    found.push(...await store.getMany(some) as (T | null)[]);
  }
  return found;
}

/** A list in its order, so many at a time; ten, as the store reads, if left out. */
export function* groupsOf<T>(
  all: readonly T[],
  size: number = READ_TOGETHER,
): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}
