import type { StartTimer } from "../ports.ts";
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
  /** Longest wait, ms; then it is refused. */
  maxWaitMs: number;
}

/** What takes its turn. */
interface Waiter {
  start(): void;
  refuse(): void;
}

/**
 * Runs what reads many rows, or changes the same ones, a few at a time, account
 * by account, so that one of them, however many agents it has, delays what others
 * ask of the store by a few calls only.
 */
export class AccountTurns {
  readonly #startTimer: StartTimer;
  readonly #limits: TurnLimits;
  readonly #turns = new RoundRobin<Waiter>();
  readonly #runningOf = new Map<string, number>();
  #running = 0;

  constructor(startTimer: StartTimer, limits: TurnLimits) {
    this.#startTimer = startTimer;
    this.#limits = limits;
  }

  /**
   * Runs the work when it is the account's turn; at once if nothing is before it.
   *
   * @param admitted settled once whoever asks is let through, where that is not
   * known yet: who is not takes no place of those that are
   * @throws {TooManyWaiting} when its turn does not come in time; before that
   * whatever keeps it from being admitted, unless it has begun
   */
  run<T>(
    accountId: string,
    work: () => Promise<T>,
    admitted?: Promise<unknown>,
  ): Promise<T> {
    // Nobody waits who can run at once, however many others do.
    if (this.isFree(accountId)) {
      return this.#start(accountId, work);
    }
    return admitted === undefined
      ? this.#wait(accountId, work)
      : admitted.then(() => this.run(accountId, work));
  }

  /** Whether the account's work would be run at once. */
  isFree(accountId: string): boolean {
    return this.#hasRoom && this.#mayRun(accountId);
  }

  #wait<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    if (!this.#makesRoom(accountId)) {
      return Promise.reject(new TooManyWaiting());
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const refuse = () => {
      this.#turns.remove(accountId, waiter);
      reject(new TooManyWaiting());
    };
    const callOff = this.#startTimer(refuse, this.#limits.maxWaitMs);
    const waiter: Waiter = {
      start: () => {
        callOff();
        resolve(this.#start(accountId, work));
      },
      refuse: () => {
        callOff();
        refuse();
      },
    };
    this.#turns.add(accountId, waiter);
    return promise;
  }

  get #hasRoom(): boolean {
    return this.#running < this.#limits.running;
  }

  #mayRun(accountId: string): boolean {
    return this.#countOf(accountId) < this.#limits.runningOfOne;
  }

  /** Once all places are taken, who has few waiting is given one of who has most. */
  #makesRoom(accountId: string): boolean {
    const { waiting, waitingOfOne } = this.#limits;
    const own = this.#turns.sizeOf(accountId);
    if (own >= waitingOfOne) return false;
    if (this.#turns.size < waiting) return true;
    const last = this.#turns.lastOfMost();
    if (last === null || this.#turns.sizeOf(last[0]) <= own + 1) return false;
    last[1].refuse();
    return true;
  }

  #dispatch(): void {
    if (this.#turns.size === 0) return;
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const [accountId, waiter] = next;
      this.#turns.take(accountId, waiter);
      waiter.start();
    }
  }

  /** Whose turn it is; null when nobody waits who may run. */
  #next(): [accountId: string, waiter: Waiter] | null {
    if (!this.#hasRoom) return null;
    for (const next of this.#turns.firsts()) {
      if (this.#mayRun(next[0])) return next;
    }
    return null;
  }

  async #start<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    this.#runningOf.set(accountId, this.#countOf(accountId) + 1);
    try {
      return await work();
    } finally {
      this.#running -= 1;
      const left = this.#countOf(accountId) - 1;
      if (left > 0) this.#runningOf.set(accountId, left);
      else this.#runningOf.delete(accountId);
      this.#dispatch();
    }
  }

  #countOf(accountId: string): number {
    return this.#runningOf.get(accountId) ?? 0;
  }
}
