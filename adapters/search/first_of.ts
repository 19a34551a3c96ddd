/**
 * The first few of many, in order, without sorting the rest: a common word is
 * found in thousands of documents.
 *
 * @param compare a total order; negative when the first comes before the second
 */
export function firstOf<T>(
  all: Iterable<T>,
  limit: number,
  compare: (a: T, b: T) => number,
): T[] {
  const first: T[] = [];
  for (const one of all) {
    const last = first[limit - 1];
    if (last !== undefined && compare(one, last) >= 0) continue;
    let low = 0;
    let high = first.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = first[middle];
      if (other !== undefined && compare(other, one) < 0) low = middle + 1;
      else high = middle;
    }
    first.splice(low, 0, one);
    if (first.length > limit) first.pop();
  }
  return first;
}
