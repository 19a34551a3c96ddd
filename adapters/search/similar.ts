/**
 * How many slips of the finger lie between two words: letters too many, too
 * few, wrong, or two of them exchanged. Counts no further than `max` and
 * answers `max + 1` beyond it.
 */
export function slipsBetween(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let slips = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isExchanged = row > 1 && column > 1 &&
        a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isExchanged) slips = Math.min(slips, (before[column - 2] ?? 0) + 1);
      current.push(slips);
      best = Math.min(best, slips);
    }
    if (best > max) return max + 1;
    before = above;
    above = current;
  }
  return Math.min(above[b.length] ?? max + 1, max + 1);
}

/** Slips that are forgiven in a word of that length. */
export function slipsForgiven(length: number): number {
  if (length < 4) return 0;
  return length < 7 ? 1 : 2;
}
