/**
 * The system's time: the only clocks and timers of the service. Parts that a
 * test gives a time of its own are given it by a port.
 *
 * @module
 */
import type { Clock } from "../../domain/ports.ts";

/** What the wall clock says; it may be set back. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock that only goes forward, ms since the process began. */
export function monotonicMs(): number {
  return performance.now();
}

/**
 * Runs something once, later, such as the end of an answer that nobody takes;
 * answers how to call it off.
 */
export function startTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** Waits so long. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Lets everything else that is ready go first. */
export function nextTurn(): Promise<void> {
  return sleep(0);
}

/** A signal that aborts once so long has passed, unless that is called off. */
export function abortAfter(
  ms: number,
): { signal: AbortSignal; callOff: () => void } {
  const over = new AbortController();
  return {
    signal: over.signal,
    callOff: startTimer(() => over.abort(), ms),
  };
}

/**
 * Processor time that this thread has had, ms; some systems tell it in steps of
 * 10 ms. Where it is not told it is the time that has passed.
 */
export function threadCpuMs(): number {
  if (typeof process.threadCpuUsage !== "function") return monotonicMs();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
