/**
 * Lists that are short enough to be read whole, in the order people expect.
 *
 * @module
 */

/** Something that was made at a moment. */
export interface Made {
  createdAtMs: number;
  id: string;
}

/** Orders what was made: the newest first, then by id. */
export function newestFirst(a: Made, b: Made): number {
  if (a.createdAtMs !== b.createdAtMs) return b.createdAtMs - a.createdAtMs;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** The part of a list that is asked for. */
export interface NewestWindow {
  limit: number;
  /** Where the part before this one ended; null for the first. */
  before: Made | null;
}

/** The part of a list, newest first. */
export function newestOf<T extends Made>(
  all: readonly T[],
  { limit, before }: NewestWindow,
): T[] {
  return all
    .filter((each) => before === null || newestFirst(before, each) < 0)
    .toSorted(newestFirst)
    .slice(0, limit);
}
