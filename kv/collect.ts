import { invariant } from "../domain/invariant.ts";
import type { ListOptions } from "../domain/ports.ts";
import { PAGE, type PageReader, readPage } from "./pages.ts";
import { isPossibleKey } from "./possible_key.ts";
import { MAX_KEYS_READ, type ReadMany } from "./read_many.ts";
import { valueOf } from "./refs.ts";

/** What lists are read with. */
export interface ListContext extends PageReader {
  readMany: ReadMany;
  nowMs: () => number;
}

/** Which rows a list is of: those below a prefix, or from one key to another. */
export type Range =
  | { prefix: Deno.KvKey; start?: Deno.KvKey }
  | { prefix: Deno.KvKey; end: Deno.KvKey }
  | { start: Deno.KvKey; end: Deno.KvKey };

/** The values of a range, page after page, up to the limit. */
export async function collect<T>(
  context: ListContext,
  range: Range,
  options: ListOptions,
): Promise<T[]> {
  const { limit, reverse = false } = options;
  invariant(
    Number.isSafeInteger(limit) && limit > 0,
    "a list is limited to a positive whole number",
  );
  const begin = "prefix" in range ? range.prefix : range.start;
  if (!isPossibleKey(begin)) return [];
  const values: T[] = [];
  let cursor: string | null = null;
  do {
    const wanted = Math.min(PAGE, limit - values.length);
    const page = await readPage(context, range, {
      limit: wanted,
      cursor,
      reverse,
    });
    values.push(...present<T>(context, page.entries));
    cursor = page.cursor;
  } while (cursor !== null && values.length < limit);
  return values;
}

/** Reads the records that index rows point at, ten in a round trip. */
export async function follow<T>(
  context: ListContext,
  wanted: readonly Deno.KvKey[],
): Promise<T[]> {
  const values: T[] = [];
  for (let at = 0; at < wanted.length; at += MAX_KEYS_READ) {
    const some = wanted.slice(at, at + MAX_KEYS_READ);
    values.push(...present<T>(context, await context.readMany(some)));
  }
  return values;
}

function present<T>(
  { nowMs }: ListContext,
  entries: readonly Deno.KvEntryMaybe<unknown>[],
): T[] {
  return entries
    .map((entry) => valueOf<T>(entry, true, nowMs()))
    .filter((value) => value !== null);
}
