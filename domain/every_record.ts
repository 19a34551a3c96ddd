/**
 * Lists of which only a page is held in memory at a time.
 *
 * @module
 */

/** Records of a page, unless another size is asked for. */
const PAGE = 200;

/**
 * Every record of a list, in its order.
 *
 * @param read the page behind a record; behind none, the first
 */
export async function* everyRecord<T>(
  read: (after: T | null, limit: number) => Promise<readonly T[]>,
  limit: number = PAGE,
): AsyncGenerator<T> {
  let after: T | null = null;
  for (;;) {
    const page: readonly T[] = await read(after, limit);
    yield* page;
    after = page.at(-1) ?? null;
    if (after === null) return;
  }
}

/**
 * Does away with the records of a list, until none is found: what is added
 * meanwhile is found by the next read, and a repeat after a crash goes on.
 */
export async function untilNone<T>(
  list: (limit: number) => Promise<readonly T[]>,
  endAll: (page: readonly T[]) => Promise<void>,
  limit: number = PAGE,
): Promise<void> {
  for (;;) {
    const page = await list(limit);
    if (page.length === 0) return;
    await endAll(page);
  }
}
