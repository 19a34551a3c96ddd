import type { Clock } from "../ports.ts";

/** How far one run of a job goes. */
export interface RunLimits {
  /** Items that are worked on at the same time. */
  lanes: number;
  /** Nothing is begun later than this, so that runs hardly overlap, ms. */
  beginWithinMs: number;
}

/**
 * Works on items in their order, some at a time, as far as one run goes. `work`
 * deals with its own failures: what it throws ends the run.
 */
export async function workThrough<T>(
  clock: Clock,
  items: readonly T[],
  limits: RunLimits,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const startedAtMs = clock.now();
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) {
      await work(item);
      if (clock.now() - startedAtMs > limits.beginWithinMs) return;
    }
  };
  await Promise.all(Array.from({ length: limits.lanes }, lane));
}
