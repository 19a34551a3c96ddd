/** The system's own timers. Answers how to call one off. */
export function startTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
