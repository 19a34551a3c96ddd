/** Whether the turn of something has come; null for what has no turn. */
export function isDue(dueAtMs: number | null, nowMs: number): boolean {
  return dueAtMs !== null && dueAtMs <= nowMs;
}
