/** Something found, with a score that compares over all that is searched. */
export interface Scored<T> {
  readonly item: T;
  readonly score: number;
}

/**
 * Joins two lists, each best first, into one. Of equal scores those of `first`
 * come before those of `second`, each in the order of its list.
 */
export function mergeHits<T>(
  first: readonly Scored<T>[],
  second: readonly Scored<T>[],
): T[] {
  return [...first, ...second].toSorted((a, b) => b.score - a.score)
    .map(({ item }) => item);
}
