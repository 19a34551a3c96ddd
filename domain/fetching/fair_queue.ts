import type { Clock, StartTimer } from "../ports.ts";
import { RoundRobin } from "../round_robin.ts";
import { FetchBusy } from "./fetcher.ts";

/** How much a queue lets run and wait. */
export interface FairQueueLimits {
  /** Runs at the same time. */
  running: number;
  /** Of them for one asker. */
  runningOfOne: number;
  /** While so many run, an asker has one of them only. */
  oneEachFrom: number;
  /** Of them in one lane, where an asker has one only. */
  runningInLane: number;
  /** Begins within any one second. */
  startsPerS: number;
  /** Waits at the same time; more are refused at once. */
  waiting: number;
  /** Of them for one asker. */
  waitingOfOne: number;
  /** Longest wait, ms; then it is refused. */
  maxWaitMs: number;
}

/**
 * What clients' documents are fetched within, in one process. The fetcher's
 * caps are the same; here one waits for its turn instead of being refused.
 */
export const DOCUMENT_QUEUE: FairQueueLimits = {
  running: 20,
  runningOfOne: 4,
  oneEachFrom: 10,
  runningInLane: 2,
  startsPerS: 10,
  waiting: 200,
  waitingOfOne: 8,
  maxWaitMs: 5_000,
};

/** What the refused may wait for: the longest run and the longest wait. */
const BUSY_RETRY_S = 5;

const SECOND_MS = 1_000;

/** Work that waits for its turn. */
interface Waiter {
  lane: string;
  start(): void;
  /** Calls off its deadline. */
  cancel(): void;
}

/**
 * Lets work run so much at a time and takes turns among askers, so that one
 * of them, however much it asks for, delays the others by its share only. Who
 * has nothing running comes first, and half of the places are kept for those;
 * work in a lane that is slow waits for that lane alone.
 */
export class FairQueue {
  readonly #clock: Clock;
  readonly #startTimer: StartTimer;
  readonly #limits: FairQueueLimits;
  readonly #turns = new RoundRobin<Waiter>();
  readonly #runningOf = new Map<string, number>();
  readonly #runningIn = new Map<string, number>();
  /** Of asker and lane. */
  readonly #pairs = new Set<string>();
  #running = 0;
  /** When the last ones began, oldest first. */
  #begunAtMs: number[] = [];
  #isWakingUp = false;

  constructor({ clock, startTimer, limits = DOCUMENT_QUEUE }: {
    clock: Clock;
    startTimer: StartTimer;
    limits?: FairQueueLimits;
  }) {
    this.#clock = clock;
    this.#startTimer = startTimer;
    this.#limits = limits;
  }

  /**
   * Runs the work when it is the asker's turn; at once, in the same step, if
   * nothing stands in its way.
   *
   * @param lane such as the host where the work is done
   * @throws {FetchBusy} when its turn does not come in time
   */
  run<T>(
    asker: string,
    lane: string,
    work: () => Promise<T>,
  ): Promise<T> {
    const isFull = this.#turns.sizeOf(asker) >= this.#limits.waitingOfOne ||
      this.#turns.size >= this.#limits.waiting;
    if (isFull) return Promise.reject(new FetchBusy(BUSY_RETRY_S));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const waiter: Waiter = {
      lane,
      start: () => resolve(work().finally(() => this.#end(asker, lane))),
      cancel: this.#startTimer(() => {
        this.#turns.remove(asker, waiter);
        reject(new FetchBusy(BUSY_RETRY_S));
      }, this.#limits.maxWaitMs),
    };
    this.#turns.add(asker, waiter);
    this.#dispatch();
    return promise;
  }

  /** Lets run what may. */
  #dispatch(): void {
    while (this.#running < this.#limits.running) {
      const next = this.#next();
      if (next === null) return;
      const paceMs = this.#waitForPaceMs();
      if (paceMs > 0) return this.#wakeUpIn(paceMs);
      this.#start(...next);
    }
  }

  /** Whose turn it is and for what; null when nothing waits that may run. */
  #next(): [asker: string, waiter: Waiter] | null {
    const { runningOfOne, oneEachFrom, runningInLane } = this.#limits;
    let another: [string, Waiter] | null = null;
    for (const [asker, waiter] of this.#turns.all()) {
      const isLaneBusy = this.#pairs.has(pairOf(asker, waiter.lane)) ||
        countOf(this.#runningIn, waiter.lane) >= runningInLane;
      if (isLaneBusy) continue;
      const running = countOf(this.#runningOf, asker);
      if (running === 0) return [asker, waiter];
      if (running < runningOfOne) another ??= [asker, waiter];
    }
    return this.#running < oneEachFrom ? another : null;
  }

  #start(asker: string, waiter: Waiter): void {
    this.#turns.take(asker, waiter);
    this.#running += 1;
    add(this.#runningOf, asker, 1);
    add(this.#runningIn, waiter.lane, 1);
    this.#pairs.add(pairOf(asker, waiter.lane));
    this.#begunAtMs.push(this.#clock.now());
    waiter.cancel();
    waiter.start();
  }

  #end(asker: string, lane: string): void {
    this.#running -= 1;
    add(this.#runningOf, asker, -1);
    add(this.#runningIn, lane, -1);
    this.#pairs.delete(pairOf(asker, lane));
    this.#dispatch();
  }

  /** How long until one more may begin; a clock set back closes nothing. */
  #waitForPaceMs(): number {
    const nowMs = this.#clock.now();
    this.#begunAtMs = this.#begunAtMs
      .filter((atMs) => atMs <= nowMs && nowMs - atMs < SECOND_MS);
    const earliest = this.#begunAtMs.at(-this.#limits.startsPerS);
    return earliest === undefined ? 0 : earliest + SECOND_MS - nowMs;
  }

  #wakeUpIn(ms: number): void {
    if (this.#isWakingUp) return;
    this.#isWakingUp = true;
    this.#startTimer(() => {
      this.#isWakingUp = false;
      this.#dispatch();
    }, ms);
  }
}

function pairOf(asker: string, lane: string): string {
  return `${asker} ${lane}`;
}

function countOf(counts: ReadonlyMap<string, number>, name: string): number {
  return counts.get(name) ?? 0;
}

/** Forgets who has none. */
function add(counts: Map<string, number>, name: string, more: number): void {
  const count = countOf(counts, name) + more;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}
