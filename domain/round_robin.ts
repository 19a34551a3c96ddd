/**
 * What waits, by who asked for it. Askers take turns, so that one of them,
 * however much it asks for, delays the others by its share only.
 */
export class RoundRobin<T> {
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

  /** Everything, asker by asker in the order of their turns. */
  *all(): Iterable<[asker: string, item: T]> {
    for (const [asker, items] of this.#waiting) {
      for (const item of items) yield [asker, item];
    }
  }

  /** What each asker has waited with longest, in the same order. */
  *firsts(): Iterable<[asker: string, item: T]> {
    for (const [asker, [first]] of this.#waiting) {
      if (first !== undefined) yield [asker, first];
    }
  }

  /** The last of whoever has most waiting; null when nothing waits. */
  lastOfMost(): [asker: string, item: T] | null {
    let most: [asker: string, items: T[]] | null = null;
    for (const each of this.#waiting) {
      if (most === null || each[1].length > most[1].length) most = each;
    }
    const last = most?.[1].at(-1);
    return most === null || last === undefined ? null : [most[0], last];
  }

  /** Lets it wait, the last of its asker. */
  add(asker: string, item: T): void {
    const before = this.#waiting.get(asker);
    if (before === undefined) this.#waiting.set(asker, [item]);
    else before.push(item);
    this.#size += 1;
  }

  /** It is the asker's turn, who is the last in line then. */
  take(asker: string, item: T): void {
    this.remove(asker, item);
    const others = this.#waiting.get(asker);
    if (others === undefined) return;
    this.#waiting.delete(asker);
    this.#waiting.set(asker, others);
  }

  /** Takes away what no longer waits. */
  remove(asker: string, item: T): void {
    const waiting = this.#waiting.get(asker) ?? [];
    const at = waiting.indexOf(item);
    if (at === -1) return;
    waiting.splice(at, 1);
    this.#size -= 1;
    if (waiting.length === 0) this.#waiting.delete(asker);
  }
}
