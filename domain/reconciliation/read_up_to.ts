import type { Outcome } from "../payments/processor.ts";
import type { Page } from "../payments/processor_books.ts";
import { readPages } from "../payments/read_pages.ts";

/** The beginning of a list, and whether that is not all of it. */
export interface ReadUpTo<T> {
  items: T[];
  isCut: boolean;
}

/**
 * Reads a list of the processor's to its end, or to the page on which so many
 * were read.
 *
 * @throws {ProcessorUncertain} when the processor does not say, or refuses
 */
export async function readUpTo<T>(
  max: number,
  read: (cursor: string | null, limit: number) => Promise<Outcome<Page<T>>>,
): Promise<ReadUpTo<T>> {
  let count = 0;
  let isCut = false;
  const items = await readPages<T>(async (cursor, limit) => {
    const asked = await read(cursor, limit);
    if (!asked.ok) return asked;
    const { items, nextCursor } = asked.value;
    count += items.length;
    isCut = nextCursor !== null && count >= max;
    return isCut ? { ok: true, value: { items, nextCursor: null } } : asked;
  });
  return { items, isCut };
}
