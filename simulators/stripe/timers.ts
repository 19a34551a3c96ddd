/**
 * Waiting, so that tests can wait without the time passing.
 *
 * @module
 */

/**
 * Runs something later.
 *
 * @param ms milliseconds from now
 * @returns gives up on it
 */
export type Schedule = (ms: number, run: () => void) => () => void;

/** The real thing; does not keep the process alive. */
export function scheduleForReal(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  Deno.unrefTimer(timer);
  return () => clearTimeout(timer);
}
