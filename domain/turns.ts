import { invariant } from "./invariant.ts";

/**
 * What waits, by who asked for it. Askers take turns, so that one of them,
 * however much it asks for, delays the others by its share only.
 */
export class Turns<T> {
  /** By asker. Whose turn is next comes first. */
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  /** How much waits in all. */
  get size(): number {
    return this.#size;
  }

  /** How much waits of one asker. */
  sizeOf(asker: string): number {
    return this.#waiting.get(asker)?.length ?? 0;
  }

  /** What each asker waits for first, in the order of their turns. */
  *firsts(): Iterable<[asker: string, first: T]> {
    for (const [asker, [first]] of this.#waiting) {
      if (first !== undefined) yield [asker, first];
    }
  }

  /** Lets it wait, the last of its asker. */
  add(asker: string, item: T): void {
    const before = this.#waiting.get(asker);
    if (before === undefined) this.#waiting.set(asker, [item]);
    else before.push(item);
    this.#size += 1;
  }

  /** The asker's turn: takes its first, and it is the last in line then. */
  take(asker: string): T {
    const [first, ...others] = this.#waiting.get(asker) ?? [];
    invariant(first !== undefined, "who has a turn waits for something");
    this.#waiting.delete(asker);
    if (others.length > 0) this.#waiting.set(asker, others);
    this.#size -= 1;
    return first;
  }

  /** Takes away what no longer waits. */
  remove(asker: string, item: T): void {
    const before = this.#waiting.get(asker) ?? [];
    const others = before.filter((each) => each !== item);
    this.#size -= before.length - others.length;
    if (others.length > 0) this.#waiting.set(asker, others);
    else this.#waiting.delete(asker);
  }
}
