import { groupsOf } from "./groups.ts";
import type { Store } from "./ports.ts";
import type { Ref } from "./tables.ts";

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
