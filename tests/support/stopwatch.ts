import { cpuUsage } from "node:process";

/** Where Linux tells what the calling thread has had of the processor. */
const THREAD_TIME = "/proc/thread-self/schedstat";
/** How far behind that may be: it is brought up to date with each tick. */
const TICK_MS = 4;

/**
 * Measures work, as far as it is its own: what other processes and other
 * tests had of the processor meanwhile does not count, so a limit holds on a
 * machine that is shared.
 *
 * @returns what reads it: ms since the call
 */
export function stopwatch(): () => number {
  const startMs = performance.now();
  const startThreadMs = threadMs();
  const start = cpuUsage();
  return () => {
    const { system, user } = cpuUsage(start);
    return Math.min(
      performance.now() - startMs,
      (system + user) / 1000,
      threadMs() - startThreadMs + TICK_MS,
    );
  };
}

/** ms of processor time this thread has had; of the wall where nothing tells. */
function threadMs(): number {
  try {
    return Number(Deno.readTextFileSync(THREAD_TIME).split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
