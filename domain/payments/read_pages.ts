import { ProcessorUncertain } from "../failure.ts";
import type { Outcome, Page } from "./outcome.ts";

/** Items of one page of the processor's lists. */
const PAGE = 100;
/** Pages of one list that are read: 20,000 items. */
export const PAGES_MAX = 200;

/**
 * Reads a list of the processor's to its end.
 *
 * @throws {ProcessorUncertain} when the processor does not say, refuses, or has
 * more than can be read
 */
export async function readPages<T>(
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
