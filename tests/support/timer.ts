/** A timer that runs what is due only when it is told to. */
export class ManualTimer {
  readonly #waiting = new Set<{ run: () => void; ms: number }>();

  /** Waits for {@linkcode ManualTimer.fire}; answers how to call it off. */
  readonly start = (run: () => void, ms: number): () => void => {
    const entry = { run, ms };
    this.#waiting.add(entry);
    return () => this.#waiting.delete(entry);
  };

  /** The delays that are waited for. */
  get waiting(): readonly number[] {
    return [...this.#waiting].map(({ ms }) => ms);
  }

  /** Runs everything that waits now, or what was to wait for so long. */
  fire(ms?: number): void {
    for (const entry of [...this.#waiting]) {
      if (ms !== undefined && entry.ms !== ms) continue;
      this.#waiting.delete(entry);
      entry.run();
    }
  }
}
