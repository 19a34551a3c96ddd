/** How much may be kept. */
export interface Bounds {
  /** Bytes for one network, at most. */
  network: number;
  /** Bytes for all networks of a process, at most. */
  process: number;
}

/** The more there is, the less a network may have of what is left. */
const SHARES = 24;

/** Bytes that are kept in memory for strangers, by network. */
export class NetworkBytes {
  readonly #bounds: Bounds;
  readonly #byNetwork = new Map<string, number>();
  #total = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Bytes that are kept now, for all networks. */
  get total(): number {
    return this.#total;
  }

  /**
   * Whether a network may have so many more where nothing gives way. One for
   * which nothing is kept may, however many they are.
   */
  hasRoom(network: string, bytes: number): boolean {
    const left = this.#bounds.process - this.#total;
    if (bytes > left) return false;
    const held = this.#byNetwork.get(network);
    return held === undefined ||
      held + bytes <= Math.min(this.#bounds.network, left / SHARES);
  }

  /** What so many more would be too much for. */
  exceeded(network: string, bytes: number): keyof Bounds | null {
    const held = this.#byNetwork.get(network) ?? 0;
    if (held + bytes > this.#bounds.network) return "network";
    return this.#total + bytes > this.#bounds.process ? "process" : null;
  }

  /** Counts bytes, or counts them no more when they are negative. */
  add(network: string, bytes: number): void {
    this.#total += bytes;
    const held = (this.#byNetwork.get(network) ?? 0) + bytes;
    if (held === 0) this.#byNetwork.delete(network);
    else this.#byNetwork.set(network, held);
  }
}
