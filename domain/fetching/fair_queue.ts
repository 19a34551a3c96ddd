import type { Clock, StartTimer } from "../ports.ts";
import { Turns } from "../turns.ts";
import { FetchBusy } from "./fetcher.ts";

/** How much a queue lets run and wait. */
export interface FairQueueLimits {
  /** Runs at the same time. */
  running: number;
  /** Of them for one asker. */
  runningOfOne: number;
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
  start(): void;
  /** Calls off its deadline. */
  cancel(): void;
}

/** What a queue is made with. */
export interface FairQueueParts {
  clock: Clock;
  startTimer: StartTimer;
  limits?: FairQueueLimits;
}

/**
 * Lets work run so much at a time and takes turns among askers, so that one
 * of them, however much it asks for, delays the others by its share only.
 */
export class FairQueue {
  readonly #clock: Clock;
  readonly #startTimer: StartTimer;
  readonly #limits: FairQueueLimits;
  readonly #turns = new Turns<Waiter>();
  readonly #runningOf = new Map<string, number>();
  #running = 0;
  /** When the last ones began, oldest first. */
  #begunAtMs: number[] = [];
  #isWakingUp = false;

  constructor({ clock, startTimer, limits = DOCUMENT_QUEUE }: FairQueueParts) {
    this.#clock = clock;
    this.#startTimer = startTimer;
    this.#limits = limits;
  }

  /**
   * Runs the work when it is the asker's turn; at once, in the same step, if
   * nothing stands in its way.
   *
   * @throws {FetchBusy} when its turn does not come in time
   */
  run<T>(asker: string, work: () => Promise<T>): Promise<T> {
    const isFull = this.#turns.sizeOf(asker) >= this.#limits.waitingOfOne ||
      this.#turns.size >= this.#limits.waiting;
    if (isFull) return Promise.reject(new FetchBusy(BUSY_RETRY_S));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const waiter: Waiter = {
      start: () => resolve(work().finally(() => this.#end(asker))),
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
      const asker = this.#next();
      if (asker === null) return;
      const paceMs = this.#waitForPaceMs();
      if (paceMs > 0) return this.#wakeUpIn(paceMs);
      this.#start(asker);
    }
  }

  /** Whose turn it is; null when nobody waits who may run. */
  #next(): string | null {
    for (const [asker] of this.#turns.firsts()) {
      const running = this.#runningOf.get(asker) ?? 0;
      if (running < this.#limits.runningOfOne) return asker;
    }
    return null;
  }

  #start(asker: string): void {
    const waiter = this.#turns.take(asker);
    this.#running += 1;
    this.#runningOf.set(asker, (this.#runningOf.get(asker) ?? 0) + 1);
    this.#begunAtMs.push(this.#clock.now());
    waiter.cancel();
    waiter.start();
  }

  #end(asker: string): void {
    this.#running -= 1;
    const left = (this.#runningOf.get(asker) ?? 0) - 1;
    if (left > 0) this.#runningOf.set(asker, left);
    else this.#runningOf.delete(asker);
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
