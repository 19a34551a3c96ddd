import { waitAtMost } from "../operations/wait_at_most.ts";
import type { StartTimer } from "../ports.ts";

/** How much one process does at once straight after a commit. */
export interface PumpLimits<Item> {
  /** Pieces of work that are under way at the same time. */
  lanes: number;
  /** Items that wait in memory; the others wait for the next sweep. */
  waitingMax: number;
  /** Items with one name are done together, and never twice at a time. */
  nameOf(item: Item): string;
  /** Items that are done together at most; the others come next. */
  togetherMax?: number;
  /** How long a stop waits for work under way; until its end if left out. */
  grace?: { ms: number; startTimer: StartTimer };
}

/** Items that are done together. */
export type Together<Item> = readonly [Item, ...Item[]];

/** Works in this process on what was just committed. */
export interface Pump<Item> {
  /** Takes note of committed items; never waits and never throws. */
  offer(items: readonly Item[]): void;
  /** Begins no further work and waits for that under way, so long at most. */
  close(graceMs?: number): Promise<void>;
}

/**
 * A pump beside a sweep: what it can't take, or what a crash takes from it, is
 * a row in the store that the sweep finds. It does first what was first offered.
 * An error of one piece of work is reported and disturbs no other.
 */
export function createPump<Item>(
  limits: PumpLimits<Item>,
  work: (items: Together<Item>) => Promise<void>,
  failed: (items: Together<Item>, error: unknown) => void,
): Pump<Item> {
  const { lanes, grace } = limits;
  const waiting = new Waiting(limits);
  const busy = new Map<string, Promise<void>>();
  let closed = false;

  function next(): void {
    while (!closed && busy.size < lanes) {
      const taken = waiting.take(busy);
      if (taken === null) return;
      const { name, items } = taken;
      const told = (error: unknown) => failed(items, error);
      const done = work(items).catch(told).finally(() => {
        busy.delete(name);
        next();
      });
      busy.set(name, done);
    }
  }

  return {
    offer(items) {
      if (closed) return;
      items.forEach((item) => waiting.add(item));
      next();
    },
    async close(graceMs = grace?.ms) {
      closed = true;
      const underWay = Promise.all(busy.values());
      if (grace === undefined || graceMs === undefined) await underWay;
      else await waitAtMost(underWay, graceMs, grace.startTimer);
    },
  };
}

/**
 * A pump of records by their ids, each of which is worked on by itself and never
 * twice at a time.
 */
export function createIdPump(
  { waitingMax = 1_000, ...limits }:
    & Pick<PumpLimits<string>, "lanes" | "grace">
    & Partial<Pick<PumpLimits<string>, "waitingMax">>,
  work: (id: string) => Promise<void>,
  failed: (id: string, error: unknown) => void,
): Pump<string> {
  return createPump(
    { ...limits, waitingMax, nameOf: (id) => id },
    ([id]) => work(id),
    ([id], error) => failed(id, error),
  );
}

/** Items by their names, in the order in which those were first offered. */
class Waiting<Item> {
  readonly #limits: PumpLimits<Item>;
  readonly #byName = new Map<string, Item[]>();
  #size = 0;

  constructor(limits: PumpLimits<Item>) {
    this.#limits = limits;
  }

  add(item: Item): void {
    const { nameOf, waitingMax } = this.#limits;
    if (this.#size >= waitingMax) return;
    const name = nameOf(item);
    const same = this.#byName.get(name);
    if (same === undefined) this.#byName.set(name, [item]);
    else same.push(item);
    this.#size += 1;
  }

  /** The longest waiting, or the first of them, that nobody is busy with. */
  take(
    busy: ReadonlyMap<string, unknown>,
  ): { name: string; items: Together<Item> } | null {
    for (const [name, all] of this.#byName) {
      if (busy.has(name)) continue;
      const [first, ...others] = all.splice(0, this.#limits.togetherMax ?? 1);
      if (all.length === 0) this.#byName.delete(name);
      if (first === undefined) continue;
      this.#size -= 1 + others.length;
      return { name, items: [first, ...others] };
    }
    return null;
  }
}
