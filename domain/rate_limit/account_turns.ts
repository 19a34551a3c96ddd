import type { Clock } from "../ports.ts";
import { RoundRobin } from "../round_robin.ts";
import { TooManyWaiting } from "./uncounted.ts";

/** How much of what takes turns runs and waits. */
export interface TurnLimits {
  /** Runs at the same time. */
  running: number;
  /** Of them for one account. */
  runningOfOne: number;
  /**
   * Waits at the same time; of more one is refused of whoever has most, or whoever
   * comes if nobody has two more.
   */
  waiting: number;
  /** Of them for one account. */
  waitingOfOne: number;
  /** Longest wait, ms; whose turn comes later is refused. */
  maxWaitMs: number;
}

/** What takes its turn. */
interface Waiter {
  sinceMs: number;
  start(): Promise<unknown>;
  refuse(): void;
}

/**
 * Runs what reads many rows, or changes the same ones, a few at a time, account
 * by account, so that one of them, however many agents it has, delays what others
 * ask of the store by a few calls only.
 */
export class AccountTurns {
  readonly #clock: Clock;
  readonly #limits: TurnLimits;
  readonly #turns = new RoundRobin<Waiter>();
  readonly #runningOf = new Map<string, number>();
  #running = 0;

  constructor(clock: Clock, limits: TurnLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * Runs the work when it is the account's turn; at once if nothing is before it.
   *
   * @throws {TooManyWaiting} when its turn does not come in time
   */
  run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    if (!this.#makesRoom(accountId)) {
      return Promise.reject(new TooManyWaiting());
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#turns.add(accountId, {
      sinceMs: this.#clock.now(),
      start: () => work().then(resolve, reject),
      refuse: () => reject(new TooManyWaiting()),
    });
    this.#dispatch();
    return promise;
  }

  /**
   * Nobody waits who can run at once, however many others do. Once all places are
   * taken, who has few waiting is given one of whoever has most.
   */
  #makesRoom(accountId: string): boolean {
    const { running, runningOfOne, waiting, waitingOfOne } = this.#limits;
    const runsNow = this.#running < running &&
      this.#countOf(accountId) < runningOfOne;
    if (runsNow) return true;
    const own = this.#turns.sizeOf(accountId);
    if (own >= waitingOfOne) return false;
    if (this.#turns.size < waiting) return true;
    const last = this.#turns.lastOfMost();
    if (last === null || this.#turns.sizeOf(last[0]) <= own + 1) return false;
    this.#turns.remove(...last);
    last[1].refuse();
    return true;
  }

  #dispatch(): void {
    while (this.#running < this.#limits.running) {
      const next = this.#next();
      if (next === null) return;
      const [accountId, waiter] = next;
      this.#turns.take(accountId, waiter);
      const waitedMs = this.#clock.now() - waiter.sinceMs;
      if (waitedMs > this.#limits.maxWaitMs) waiter.refuse();
      else void this.#start(accountId, waiter);
    }
  }

  /** Whose turn it is; null when nobody waits who may run. */
  #next(): [accountId: string, waiter: Waiter] | null {
    for (const next of this.#turns.all()) {
      if (this.#countOf(next[0]) < this.#limits.runningOfOne) return next;
    }
    return null;
  }

  async #start(accountId: string, { start }: Waiter): Promise<void> {
    this.#running += 1;
    this.#runningOf.set(accountId, this.#countOf(accountId) + 1);
    await start();
    this.#running -= 1;
    const left = this.#countOf(accountId) - 1;
    if (left > 0) this.#runningOf.set(accountId, left);
    else this.#runningOf.delete(accountId);
    this.#dispatch();
  }

  #countOf(accountId: string): number {
    return this.#runningOf.get(accountId) ?? 0;
  }
}
