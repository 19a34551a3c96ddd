/**
 * What reading a body may take without being counted, ms. Those of our clients
 * take less than half of it.
 */
export const UNCOUNTED_MS = 2;
/** Counted time, of all networks together, that is forgotten in a second, ms. */
export const FORGOTTEN_MS_A_SECOND = 250;
/** More counted time than this, ms, and networks are told apart. */
export const ALL_MAX_MS = 500;
/** Whoever has more counted time than this then has to wait, ms. */
export const OWN_MAX_MS = 100;
/** No more is counted than this, ms, so that nobody waits for longer than 2 s. */
export const COUNTED_MAX_MS = 1_000;
/** How long the time of a network is known, ms; twice as long at most. */
export const KNOWN_MS = 10_000;

/**
 * The time that bodies took of the one thread to be read, beyond what a body may
 * take, by the network that sent them. Whatever is slow about a text is counted,
 * also where nobody knew of it. Decision 0187 says why.
 */
export class ReadingTime {
  readonly #nowMs: () => number;
  #all = 0;
  #allAtMs: number;
  /** By network: what was counted lately, and before that. */
  #lately = new Map<string, number>();
  #before = new Map<string, number>();
  #latelySinceMs: number;

  /** @param nowMs a clock that only goes forward */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#allAtMs = this.#latelySinceMs = nowMs();
  }

  /** Whether a body was counted that is not forgotten. */
  get isCounting(): boolean {
    return this.#total() > 0;
  }

  /** Whether a network has to wait for others now. */
  isSpent(network: string): boolean {
    if (this.#total() <= ALL_MAX_MS) return false;
    this.#forget();
    return this.#own(network) > OWN_MAX_MS;
  }

  /** Counts a body that took so long to be read, ms. */
  add(network: string, tookMs: number): void {
    const counted = tookMs - UNCOUNTED_MS;
    if (counted > 0) {
      this.#all = Math.min(this.#total() + counted, COUNTED_MAX_MS);
    }
    this.#forget();
    const own = this.#own(network);
    if (own + counted <= 0) {
      // Who sends much else is not slow for one body that was.
      this.#lately.delete(network);
      this.#before.delete(network);
      return;
    }
    const before = this.#before.get(network) ?? 0;
    const now = Math.min(own + counted, COUNTED_MAX_MS);
    this.#lately.set(network, now - before);
  }

  #own(network: string): number {
    return (this.#lately.get(network) ?? 0) + (this.#before.get(network) ?? 0);
  }

  #total(): number {
    const nowMs = this.#nowMs();
    const forgotten = (nowMs - this.#allAtMs) / 1_000 * FORGOTTEN_MS_A_SECOND;
    this.#all = Math.max(0, this.#all - forgotten);
    this.#allAtMs = nowMs;
    return this.#all;
  }

  #forget(): void {
    const nowMs = this.#nowMs();
    const sinceMs = nowMs - this.#latelySinceMs;
    if (sinceMs < KNOWN_MS) return;
    this.#before = sinceMs < 2 * KNOWN_MS ? this.#lately : new Map();
    this.#lately = new Map();
    this.#latelySinceMs = nowMs;
  }
}
