/**
 * The system's own timers, for domain code that waits by a port. Answers how to
 * call it off.
 */
export function startTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
