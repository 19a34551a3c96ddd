/** How far the clocks of two isolates may differ. */
const CLOCK_SKEW_MS = 60_000;

/**
 * Whether the turn of something has come; null for what has no turn.
 *
 * @param withinMs how far ahead it is put off at most, if known: further ahead
 * it was by a clock that was wrong, and it is due
 */
export function isDue(
  dueAtMs: number | null,
  nowMs: number,
  withinMs = Infinity,
): boolean {
  return dueAtMs !== null && !isAhead(dueAtMs, nowMs, withinMs);
}

/**
 * Whether a moment written as at most `spanMs` away is still to come. Further
 * ahead than that it is of a clock that was wrong, and waiting for it could
 * hold work up for ever.
 */
export function isAhead(
  momentMs: number,
  nowMs: number,
  spanMs: number,
): boolean {
  const aheadMs = momentMs - nowMs;
  return aheadMs > 0 && aheadMs <= spanMs + CLOCK_SKEW_MS;
}
