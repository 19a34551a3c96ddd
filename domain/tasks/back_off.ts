/** How pauses grow. */
export interface BackOff {
  /** After the first failure, ms. */
  firstMs: number;
  /** The longest, ms. */
  maxMs: number;
}

/** The pause after so many failures in a row: twice as long each time. */
export function backOffMs(
  failures: number,
  { firstMs, maxMs }: BackOff,
): number {
  return Math.min(firstMs * 2 ** Math.max(failures - 1, 0), maxMs);
}
