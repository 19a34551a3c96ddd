import { certainValue, type Outcome, type Page } from "./outcome.ts";

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
  const items: T[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    const asked: Page<T> = certainValue(await read(cursor, PAGE));
    items.push(...asked.items);
    cursor = asked.nextCursor;
    if (cursor === null || items.length >= max) break;
  }
  return { items, isCut: cursor !== null };
}
