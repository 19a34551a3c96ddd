import type { StartTimer } from "../ports.ts";

/** What is to happen unless its time is called off before. */
interface Pending {
  endsMs: number;
  run: () => void;
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

/** Those of one length end in the order they began. */
class Deadlines {
  readonly #ms: number;
  readonly #parts: DeadlineParts;
  readonly #pending = new Set<Pending>();
  #stopTimer: (() => void) | null = null;

  constructor(ms: number, parts: DeadlineParts) {
    this.#ms = ms;
    this.#parts = parts;
  }

  begin(run: () => void): () => void {
    const pending = { endsMs: this.#parts.nowMs() + this.#ms, run };
    this.#pending.add(pending);
    if (this.#stopTimer === null) this.#wait(this.#ms);
    return () => {
      this.#pending.delete(pending);
      if (this.#pending.size > 0 || this.#stopTimer === null) return;
      this.#stopTimer();
      this.#stopTimer = null;
    };
  }

  #wait(ms: number): void {
    this.#stopTimer = this.#parts.startTimer(() => this.#passed(), ms);
  }

  #passed(): void {
    this.#stopTimer = null;
    const nowMs = this.#parts.nowMs();
    for (const pending of this.#pending) {
      if (pending.endsMs > nowMs) {
        this.#wait(Math.ceil(pending.endsMs - nowMs));
        return;
      }
      this.#pending.delete(pending);
      pending.run();
    }
  }
}
