import { isAhead } from "./lease.ts";

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
