import type { StartTimer } from "../ports.ts";

/** What is to happen unless its time is called off before. */
interface Pending {
  endsMs: number;
  run: () => void;
  before: Pending | null;
  after: Pending | null;
}

/** What deadlines are made of. */
export interface DeadlineParts {
  /** A clock that only goes forward, ms. */
  nowMs(): number;
  startTimer: StartTimer;
}

/** Runs the function once `ms` have passed; answers how to prevent it. */
export type Deadline = (ms: number, run: () => void) => () => void;

/**
 * Deadlines of which all of one length share a timer, as nearly every call has
 * one and next to none is ever met.
 */
export function sharedDeadlines(parts: DeadlineParts): Deadline {
  const byLength = new Map<number, Deadlines>();
  return function deadline(ms, run) {
    let all = byLength.get(ms);
    if (all === undefined) byLength.set(ms, all = new Deadlines(ms, parts));
    return all.begin(run);
  };
}

/**
 * Those of one length end in the order they began. They hang together in a line
 * of their own: what a `Set` was told to forget stays within reach of its old
 * tables, and with it whole requests, until all of memory is collected.
 * Decision 0080 says why.
 */
export class Deadlines {
  readonly #ms: number;
  readonly #parts: DeadlineParts;
  #first: Pending | null = null;
  #last: Pending | null = null;
  #stopTimer: (() => void) | null = null;
  #keepsTimer: boolean;

  /**
   * @param keepsTimer whether a timer that was started runs on while nothing
   * waits for it, until {@linkcode keepNoTimer}: what begins and ends a thousand
   * times a second, one after the other, starts one, not a thousand
   */
  constructor(ms: number, parts: DeadlineParts, keepsTimer = false) {
    this.#ms = ms;
    this.#parts = parts;
    this.#keepsTimer = keepsTimer;
  }

  begin(run: () => void): () => void {
    const endsMs = this.#parts.nowMs() + this.#ms;
    const before = this.#last;
    const pending: Pending = { endsMs, run, before, after: null };
    if (before === null) this.#first = pending;
    else before.after = pending;
    this.#last = pending;
    if (this.#stopTimer === null) this.#wait(this.#ms);
    return () => {
      pending.run = nothing;
      this.#remove(pending);
      if (!this.#keepsTimer) this.#stopIdleTimer();
    };
  }

  /** From now on no timer runs on that nothing waits for. */
  keepNoTimer(): void {
    this.#keepsTimer = false;
    this.#stopIdleTimer();
  }

  /** Ends all that have begun, as if their time had passed. */
  endAll(): void {
    this.#endUntil(Infinity);
    this.#stopIdleTimer();
  }

  #stopIdleTimer(): void {
    if (this.#first !== null) return;
    this.#stopTimer?.();
    this.#stopTimer = null;
  }

  /** Nothing that is out of the line keeps hold of what is in it. */
  #remove(pending: Pending): void {
    const { before, after } = pending;
    if (before !== null) before.after = after;
    else if (this.#first === pending) this.#first = after;
    else return;
    if (after !== null) after.before = before;
    else this.#last = before;
    pending.before = pending.after = null;
  }

  #wait(ms: number): void {
    this.#stopTimer = this.#parts.startTimer(() => this.#passed(), ms);
  }

  #passed(): void {
    this.#stopTimer = null;
    this.#endUntil(this.#parts.nowMs());
  }

  #endUntil(nowMs: number): void {
    const passed: Pending[] = [];
    let first = this.#first;
    while (first !== null && first.endsMs <= nowMs) {
      passed.push(first);
      this.#remove(first);
      first = this.#first;
    }
    if (first !== null) this.#wait(Math.ceil(first.endsMs - nowMs));
    // One of them may call off another, or begin anew.
    for (const pending of passed) pending.run();
  }
}

function nothing(): void {}
