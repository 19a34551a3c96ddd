/** A map of at most so many entries: the one not asked for longest goes first. */
export class BoundedMap<Value> {
  readonly #max: number;
  /** The entry that was asked for last is the last. */
  readonly #entries = new Map<string, Value>();

  /** @param max at least 1 */
  constructor(max: number) {
    this.#max = max;
  }

  /** How many there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** The value that was set last under the key. */
  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Keeps a value, if need be in place of another key's. */
  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#max) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
