/** Results that are looked at. */
const DEPTH = 10;

/**
 * Normalised discounted cumulative gain of the first ten results: 1 for the
 * best order there could be.
 *
 * @param grades the grades of the results, in their order
 * @param all the grades of everything there is; where none is above 0 the
 * right answer is an empty list
 */
export function ndcgAt10(
  grades: readonly number[],
  all: readonly number[],
): number {
  const ideal = gain(all.toSorted((a, b) => b - a));
  if (ideal === 0) return grades.length === 0 ? 1 : 0;
  return gain(grades) / ideal;
}

function gain(grades: readonly number[]): number {
  return grades.slice(0, DEPTH).reduce(
    (sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2),
    0,
  );
}
