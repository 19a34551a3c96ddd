import { guardedRead, type Patience } from "./guard.ts";
import { persistentRanges } from "./ephemeral.ts";
import type { KvLike } from "./kv_like.ts";

/** Entries read in one round trip of a list. */
export const PAGE = 500;

/** Some entries of one moment, and where to go on; `null` at the end. */
export interface Page {
  entries: Deno.KvEntry<unknown>[];
  cursor: string | null;
}

/** What a list is read with. */
export interface PageReader {
  kv: KvLike;
  patience: Patience;
  onLocked?: () => void;
}

/** Reads up to `limit` entries in one round trip, with deadline and retries. */
export function readPage(
  { kv, patience, onLocked }: PageReader,
  selector: Deno.KvListSelector,
  options: { limit: number; cursor: string | null; reverse?: boolean },
): Promise<Page> {
  const { limit, cursor, reverse = false } = options;
  return guardedRead(
    async () => {
      const iterator = kv.list<unknown>(selector, {
        limit,
        batchSize: limit,
        reverse,
        ...(cursor === null ? {} : { cursor }),
      });
      const entries: Deno.KvEntry<unknown>[] = [];
      for await (const entry of iterator) entries.push(entry);
      const ended = entries.length < limit || iterator.cursor === "";
      return { entries, cursor: ended ? null : iterator.cursor };
    },
    patience,
    undefined,
    onLocked,
  );
}

/** Every entry, page after page; only the entries of a page are of a moment. */
export async function* allPages(
  reader: PageReader,
  selector: Deno.KvListSelector,
  limit: number = PAGE,
): AsyncGenerator<Deno.KvEntry<unknown>[], void> {
  let cursor: string | null = null;
  do {
    const page: Page = await readPage(reader, selector, { limit, cursor });
    if (page.entries.length > 0) yield page.entries;
    cursor = page.cursor;
  } while (cursor !== null);
}

/** Every entry worth a backup, page after page, in key order. */
export async function* persistentPages(
  reader: PageReader,
  pageRows: number = PAGE,
): AsyncGenerator<Deno.KvEntry<unknown>[], void> {
  for (const range of persistentRanges()) {
    yield* allPages(reader, range, pageRows);
  }
}
