import { TemporaryFailure } from "../../domain/failure.ts";
import { RoundRobin } from "../../domain/round_robin.ts";
import { type Bounds, NetworkBytes } from "./network_bytes.ts";
import { ReadingTime, UNCOUNTED_MS } from "./reading_time.ts";

/** What bodies may have of memory that wait for their turn. */
export const WAITING_BOUNDS: Bounds = {
  network: 4 * 1_048_576,
  process: 64 * 1_048_576,
};
/** Slow bodies are read for so long, ms, before all else that is ready goes on. */
export const TURN_MS = 10;
/** How long each body is measured exactly once one was slow, ms. */
export const ALERT_MS = 10_000;

/** Clocks, and the turns of the event loop. */
export interface TurnTime {
  /** Milliseconds of a clock that only goes forward. */
  nowMs(): number;
  /** Milliseconds that this thread has had of a processor. */
  cpuMs(): number;
  /**
   * Runs it once what else is ready has gone on, as `setImmediate()` does: one
   * after the other in the order given, each with all that follows from it at
   * once. What is given meanwhile has its turn only after everything else again.
   */
  soon(run: () => void): void;
}

/** Bodies of this network took so long to be read that others go first. */
class ReadsTooSlowly extends TemporaryFailure {
  override readonly name = "ReadsTooSlowly";
  override readonly retryAfterS = 2;
  override readonly isOrdinary = true;
  override readonly detail =
    "what was sent from your network took too long to be read, others go first";
}

/** A body that is being read. */
interface Reading {
  network: string;
  sinceMs: number;
  /** What the thread had of a processor then; null while nothing was slow. */
  sinceCpuMs: number | null;
}

/**
 * A body that has come whole is work of the one thread: its text, its schema, what
 * a library makes of it. Here each is begun by itself and measured, network by
 * network, so that bodies which are slow to read delay others by one of them, and
 * are refused once they took much. Decision 0187 says why.
 */
export class BodyTurns {
  readonly #time: TurnTime;
  readonly #spent: ReadingTime;
  readonly #waiting = new RoundRobin<() => boolean>();
  readonly #bytes = new NetworkBytes(WAITING_BOUNDS);
  #reading: Reading | null = null;
  /** What slow ones took since all else that is ready has gone on, ms. */
  #slowMs = 0;
  #alertUntilMs = -Infinity;

  constructor(time: TurnTime) {
    this.#time = time;
    this.#spent = new ReadingTime(() => time.nowMs());
  }

  /**
   * Settles when a body of an IPv4 address or IPv6 /48 may be read. What is done
   * with it until the outside is waited for is counted.
   *
   * @throws {ReadsTooSlowly} where those of its network took too much, or too
   * many bytes wait
   */
  take(network: string, bytes: number): Promise<void> {
    if (!this.#bytes.hasRoom(network, bytes)) {
      return Promise.reject(new ReadsTooSlowly("Too many bodies wait"));
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#bytes.add(network, bytes);
    this.#waiting.add(network, () => {
      this.#bytes.add(network, -bytes);
      if (this.#spent.isSpent(network)) {
        reject(new ReadsTooSlowly("Bodies of a network are read slowly"));
        return false;
      }
      this.#begin(network);
      resolve();
      return true;
    });
    this.#plan();
    return promise;
  }

  /** Begins one of the bodies that wait, and measures it right after. */
  #plan(): void {
    this.#time.soon(() => this.#slowMs > TURN_MS ? this.#plan() : this.#next());
    this.#time.soon(() => this.#end());
  }

  #next(): void {
    for (;;) {
      const [next] = this.#waiting.firsts();
      if (next === undefined) return;
      const [network, start] = next;
      this.#waiting.take(network, start);
      if (start()) return;
    }
  }

  #begin(network: string): void {
    const sinceMs = this.#time.nowMs();
    const isAlert = sinceMs < this.#alertUntilMs;
    const sinceCpuMs = isAlert ? this.#time.cpuMs() : null;
    this.#reading = { network, sinceMs, sinceCpuMs };
  }

  #end(): void {
    const reading = this.#reading;
    if (reading === null) return;
    this.#reading = null;
    const nowMs = this.#time.nowMs();
    const tookMs = nowMs - reading.sinceMs;
    if (tookMs <= UNCOUNTED_MS) {
      if (this.#spent.isCounting) this.#spent.add(reading.network, tookMs);
      return;
    }
    // Runs only after everything else.
    if (this.#slowMs === 0) this.#time.soon(() => this.#slowMs = 0);
    this.#slowMs += tookMs;
    this.#alertUntilMs = nowMs + ALERT_MS;
    if (reading.sinceCpuMs === null) return;
    const cpuMs = this.#time.cpuMs() - reading.sinceCpuMs;
    // Other processes may have had the processor meanwhile, and are no cause.
    const isSlow = cpuMs > UNCOUNTED_MS;
    this.#spent.add(reading.network, isSlow ? tookMs : cpuMs);
  }
}
