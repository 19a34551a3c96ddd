import { ProcessorUncertain } from "../failure.ts";
import type { Outcome, Page } from "./outcome.ts";

/** Items of one page of the processor's lists. */
const PAGE = 100;
/** Pages of one list that are read: 20,000 items. */
const PAGES_MAX = 200;

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

/**
 * Reads a list of the processor's to its end.
 *
 * @throws {ProcessorUncertain} when the processor does not say, refuses, or has
 * more than can be read
 */
async function readPages<T>(
  read: (cursor: string | null, limit: number) => Promise<Outcome<Page<T>>>,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    const asked: Outcome<Page<T>> = await read(cursor, PAGE);
    if (!asked.ok) {
      throw new ProcessorUncertain(`The processor refused: ${asked.code}`);
    }
    items.push(...asked.value.items);
    cursor = asked.value.nextCursor;
    if (cursor === null) return items;
  }
  throw new ProcessorUncertain("The processor's list is too long");
}
