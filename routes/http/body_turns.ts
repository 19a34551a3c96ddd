import { TemporaryFailure } from "../../domain/failure.ts";
import { RoundRobin } from "../../domain/round_robin.ts";
import { ReadingTime, UNCOUNTED_MS } from "./reading_time.ts";

/** Bodies are read for so long, ms, before all else that is ready goes on. */
export const TURN_MS = 1;
/** Most bodies that had to wait and are read in one turn. */
export const READ_TOGETHER = 16;

/** The clock, and the end of a turn of the event loop. */
export interface TurnTime {
  /** Milliseconds of a clock that only goes forward. */
  nowMs(): number;
  /** Runs it once all else that is ready has gone on. */
  atTurnsEnd(run: () => void): void;
}

/** Bodies of this network took so long to be read that others go first. */
class ReadsTooSlowly extends TemporaryFailure {
  override readonly name = "ReadsTooSlowly";
  override readonly retryAfterS = 2;
  override readonly isOrdinary = true;
  override readonly detail =
    "what was sent from your network took too long to be read, others go first";
}

/**
 * A body that has come whole is work of the one thread: its text, its schema, what
 * a library makes of it. Here that is measured, and takes turns, network by
 * network, so that bodies which are slow to read delay others by one of them, and
 * are refused once they took much. What waits are requests in flight, which are
 * bounded where they begin. Decision 0187 says why.
 */
export class BodyTurns {
  readonly #time: TurnTime;
  readonly #spent: ReadingTime;
  readonly #waiting = new RoundRobin<() => void>();
  /** Whose bodies are read in this turn of the event loop. */
  #readers: string[] = [];
  #begunMs = 0;

  constructor(time: TurnTime) {
    this.#time = time;
    this.#spent = new ReadingTime(() => time.nowMs());
  }

  /**
   * Settles when a body of an IPv4 address or IPv6 /48 may be read. What is done
   * with it until the outside is waited for is counted.
   *
   * @throws {ReadsTooSlowly} where those of its network took too much
   */
  take(network: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = () => {
      if (this.#spent.isSpent(network)) {
        return reject(
          new ReadsTooSlowly("Bodies of a network are read slowly"),
        );
      }
      this.#begin(network);
      resolve();
    };
    if (this.#isFree()) start();
    else this.#waiting.add(network, start);
    return promise;
  }

  #isFree(): boolean {
    if (this.#readers.length === 0) return true;
    return this.#waiting.size === 0 && !this.#spent.isCounting &&
      this.#time.nowMs() - this.#begunMs < TURN_MS;
  }

  #begin(network: string): void {
    this.#readers.push(network);
    if (this.#readers.length > 1) return;
    this.#begunMs = this.#time.nowMs();
    this.#time.atTurnsEnd(() => this.#end());
  }

  #end(): void {
    const readers = this.#readers;
    this.#readers = [];
    const tookMs = (this.#time.nowMs() - this.#begunMs) / readers.length;
    if (tookMs > UNCOUNTED_MS || this.#spent.isCounting) {
      for (const network of readers) this.#spent.add(network, tookMs);
    }
    this.#startWaiting();
  }

  #startWaiting(): void {
    // One by one while some are slow: so each is counted by itself.
    const most = this.#spent.isCounting ? 1 : READ_TOGETHER;
    while (this.#readers.length < most) {
      const [next] = this.#waiting.firsts();
      if (next === undefined) return;
      const [network, start] = next;
      this.#waiting.take(network, start);
      start();
    }
  }
}
