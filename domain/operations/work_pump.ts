/** How much one process does at once straight after a commit. */
export interface PumpLimits {
  /** Items that are worked on at the same time. */
  lanes: number;
  /** Items that wait in memory; the others wait for the next sweep. */
  waitingMax: number;
}

/** Works in this process on what was just committed. */
export interface WorkPump<T> {
  /** Takes note of committed items; never waits and never throws. */
  offer(items: readonly T[]): void;
  /** Begins no further item and waits for those under way. */
  close(): Promise<void>;
}

/**
 * A pump beside a sweep: what it can't take, or what a crash takes from it, is
 * a row in the store that the sweep finds. `work` deals with its own failures.
 */
export function createWorkPump<T>(
  { lanes, waitingMax }: PumpLimits,
  work: (item: T) => Promise<void>,
): WorkPump<T> {
  const waiting: T[] = [];
  const underWay = new Set<Promise<void>>();
  let closed = false;

  async function run(): Promise<void> {
    while (!closed && waiting.length > 0) {
      await work(waiting.shift() as T);
    }
  }

  return {
    offer(items) {
      if (closed) return;
      waiting.push(...items.slice(0, waitingMax - waiting.length));
      while (waiting.length > 0 && underWay.size < lanes) {
        const lane = run().finally(() => underWay.delete(lane));
        underWay.add(lane);
      }
    },
    async close() {
      closed = true;
      await Promise.all(underWay);
    },
  };
}
