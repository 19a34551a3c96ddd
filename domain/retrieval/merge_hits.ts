/** Something found, with a score that is comparable within its own list. */
export interface Scored<T> {
  readonly item: T;
  readonly score: number;
}

/**
 * Joins two lists, each best first, into one: scores are divided by the best
 * of their own list, since lists of short and of long texts score differently.
 * What is equal in 6 decimals stays in the order of the lists, `first` before
 * `second`.
 */
export function mergeHits<T>(
  first: readonly Scored<T>[],
  second: readonly Scored<T>[],
): T[] {
  return [...inParts(first), ...inParts(second)]
    .toSorted((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

/** The scores in millionths of the best. */
function inParts<T>(hits: readonly Scored<T>[]): Scored<T>[] {
  const best = hits[0]?.score ?? 1;
  return hits.map(({ item, score }) => ({
    item,
    score: Math.round(score / best * 1e6),
  }));
}
