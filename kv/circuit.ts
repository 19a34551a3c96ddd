/**
 * The circuit breaker of a store. Each call has a deadline. Once the store is
 * silent, calls fail at once instead of waiting for their own, until something
 * is heard of it again. Decision 0080 says why.
 *
 * @module
 */
import { Deadlines } from "../domain/operations/shared_deadlines.ts";
import { StoreUnavailable } from "../domain/failure.ts";
import type { StartTimer } from "../domain/ports.ts";

/** What a call asks for: one of the two may hang while the other answers. */
export type CallKind = "read" | "commit";

/** What a circuit is made of. */
export interface CircuitOptions {
  /** Longest a call may take, ms. */
  callMs: number;
  /** A clock that only goes forward, ms. */
  nowMs: () => number;
  startTimer: StartTimer;
  /** Told of each call that failed, and when the store falls silent. */
  onTrouble?: (why: unknown) => void;
}

/** A call had no answer by its deadline. */
export class DeadlinePassed extends Error {
  override readonly name = "DeadlinePassed";
}

/** The call was not made: the store is known not to answer. */
export class CircuitOpen extends StoreUnavailable {
  constructor() {
    super("The store does not answer: nothing was sent");
  }
}

/**
 * Opens when a call had no answer by its deadline, and no other call of its kind
 * has had one since it began: one slow call among others is no outage. All that
 * wait are then let go, as if their time had passed. Any answer closes it, an
 * error too, since whoever answers keeps nobody waiting.
 */
export class Circuit {
  readonly #onTrouble: (why: unknown) => void;
  readonly #deadlines: Deadlines;
  readonly #answers: Record<CallKind, number> = { read: 0, commit: 0 };
  #isOpen = false;

  constructor({ callMs, onTrouble = () => {}, ...parts }: CircuitOptions) {
    this.#onTrouble = onTrouble;
    this.#deadlines = new Deadlines(callMs, parts);
  }

  /** Whether calls fail at once. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Makes a call.
   *
   * @throws {CircuitOpen} when the circuit is open; the call was not made
   * @throws {DeadlinePassed} when there was no answer
   */
  run<T>(kind: CallKind, call: () => Promise<T>): Promise<T> {
    if (this.#isOpen) return Promise.reject(new CircuitOpen());
    return this.probe(kind, call);
  }

  /** Makes a call although the circuit may be open, to find out. */
  probe<T>(kind: CallKind, call: () => Promise<T>): Promise<T> {
    const before = this.#answers[kind];
    return new Promise((resolve, reject) => {
      const callOff = this.#deadlines.begin(() => {
        const why = new DeadlinePassed("no answer in time");
        if (this.#answers[kind] === before) this.#open(why);
        reject(why);
      });
      call().then((value) => {
        this.#answered(kind, callOff);
        resolve(value);
      }, (error) => {
        this.#answered(kind, callOff);
        this.#onTrouble(error);
        reject(error);
      });
    });
  }

  #answered(kind: CallKind, callOff: () => void): void {
    callOff();
    this.#answers[kind]++;
    this.#isOpen = false;
  }

  #open(why: DeadlinePassed): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#deadlines.endAll();
    this.#onTrouble(why);
  }
}
