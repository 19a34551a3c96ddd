/**
 * Counts of people by what they have in common, published so that nobody is
 * told a count of a few, nor can work it out.
 *
 * @module
 */

/** Least people that a number of its own stands for. */
export const FEW = 5;

/** How many of something. */
export interface Counted {
  value: string;
  count: number;
}

/** What is published of counts. */
export interface Published {
  /** Each of {@linkcode FEW} at least, the largest first. */
  shown: readonly Counted[];
  /** All the rest together. */
  other: number;
}

/**
 * Sums the small counts as `other`. Where readers could work one of them out,
 * who know the total, how many values there are and this rule, the smallest of
 * the larger ones goes with them, and so on; at last nothing is shown.
 */
export function hideFew(counts: readonly Counted[]): Published {
  const ascending = counts.filter(({ count }) => count > 0)
    .toSorted((a, b) => a.count - b.count || (a.value < b.value ? 1 : -1));
  let hidden = ascending.findIndex(({ count }) => count >= FEW);
  if (hidden < 0) hidden = ascending.length;
  let other = sumOf(ascending.slice(0, hidden));
  for (; hidden < ascending.length; hidden++) {
    const next = ascending[hidden]?.count ?? 0;
    if (isSafe({ hidden, other, next })) break;
    other += next;
  }
  return { shown: ascending.slice(hidden).toReversed(), other };
}

/**
 * Whether many counts could be behind `other`. It asks for what is published
 * anyway, so that its answer tells nothing: several values, not all of one each,
 * and a sum far enough from the most they could be. The bounds are those for
 * which trying out all possibilities finds no count that is told (decision 0197).
 */
function isSafe(
  { hidden, other, next }: { hidden: number; other: number; next: number },
): boolean {
  if (hidden === 0) return true;
  const most = Math.max((hidden - 1) * (next - 1), 3 * hidden);
  // Of a single value the bound is 3, so that it never stands alone.
  return other >= FEW && other > hidden && other <= most;
}

function sumOf(counts: readonly Counted[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
