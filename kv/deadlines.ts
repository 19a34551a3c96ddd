/** What is to happen unless its time is called off before. */
interface Pending {
  endsMs: number;
  run: () => void;
}

/** Those of one length end in the order they began. */
class Deadlines {
  readonly #ms: number;
  readonly #pending = new Set<Pending>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(ms: number) {
    this.#ms = ms;
  }

  begin(run: () => void): () => void {
    const pending = { endsMs: performance.now() + this.#ms, run };
    this.#pending.add(pending);
    if (this.#timer === null) this.#wait(this.#ms);
    return () => {
      this.#pending.delete(pending);
      if (this.#pending.size > 0 || this.#timer === null) return;
      clearTimeout(this.#timer);
      this.#timer = null;
    };
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#passed(), ms);
  }

  #passed(): void {
    this.#timer = null;
    const nowMs = performance.now();
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

const byLength = new Map<number, Deadlines>();

/**
 * Runs the function once `ms` have passed, and returns how to prevent it. All
 * of one length share a timer, since every call of the store has a deadline
 * and next to none is ever met.
 */
export function deadline(ms: number, run: () => void): () => void {
  let all = byLength.get(ms);
  if (all === undefined) byLength.set(ms, all = new Deadlines(ms));
  return all.begin(run);
}
