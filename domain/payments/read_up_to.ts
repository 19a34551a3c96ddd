import type { Outcome, Page } from "./outcome.ts";
import { PAGES_MAX, readPages } from "./read_pages.ts";

/** The beginning of a list, and whether that is not all of it. */
export interface ReadUpTo<T> {
  items: T[];
  isCut: boolean;
}

/**
 * Reads a list of the processor's to its end, or to the page on which so many
 * were read; of short pages, to the last that is asked for.
 *
 * @throws {ProcessorUncertain} when the processor does not say, or refuses
 */
export async function readUpTo<T>(
  max: number,
  read: (cursor: string | null, limit: number) => Promise<Outcome<Page<T>>>,
): Promise<ReadUpTo<T>> {
  let count = 0;
  let pages = 0;
  let isCut = false;
  const items = await readPages<T>(async (cursor, limit) => {
    const asked = await read(cursor, limit);
    if (!asked.ok) return asked;
    const { items, nextCursor } = asked.value;
    count += items.length;
    pages += 1;
    isCut = nextCursor !== null && (count >= max || pages >= PAGES_MAX);
    return isCut ? { ok: true, value: { items, nextCursor: null } } : asked;
  });
  return { items, isCut };
}
