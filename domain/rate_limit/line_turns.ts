import type { WaitingLine } from "./bucket.ts";

/**
 * Lines in which somebody waits, in the order of their turns: askers take turns,
 * and of each of them its lines, so that a network with a line for each of its
 * thousands of links delays others by its share only. Decision 0032 says why.
 */
export class LineTurns {
  readonly #lines = new Map<string, WaitingLine[]>();
  /** Whose turn is next comes first. */
  #askers: string[] = [];

  /** The line whose turn it is. */
  get first(): WaitingLine | undefined {
    const [asker] = this.#askers;
    return asker === undefined ? undefined : this.#lines.get(asker)?.[0];
  }

  /** How many lines of one asker wait. */
  sizeOf(asker: string): number {
    return this.#lines.get(asker)?.length ?? 0;
  }

  /** Lets it wait, the last of its asker. */
  add(line: WaitingLine): void {
    const { asker } = line;
    const others = this.#lines.get(asker);
    if (others !== undefined) return void others.push(line);
    this.#lines.set(asker, [line]);
    this.#askers.push(asker);
  }

  /** Lets it wait before all others of its asker, or of anybody if there are none. */
  addFirst(line: WaitingLine): void {
    const { asker } = line;
    const others = this.#lines.get(asker);
    if (others !== undefined) return void others.unshift(line);
    this.#lines.set(asker, [line]);
    this.#askers.unshift(asker);
  }

  /** The turn of the first line is over: its asker is the last in line then. */
  passFirst(): void {
    const asker = this.#askers.shift();
    if (asker === undefined) return;
    const lines = this.#lines.get(asker);
    lines?.shift();
    if (lines?.length) this.#askers.push(asker);
    else this.#lines.delete(asker);
  }

  /** Takes away what is served meanwhile. */
  leaveOut(served: { has(line: WaitingLine): boolean }): void {
    for (const [asker, lines] of this.#lines) {
      const left = lines.filter((line) => !served.has(line));
      if (left.length > 0) this.#lines.set(asker, left);
      else this.#lines.delete(asker);
    }
    this.#askers = this.#askers.filter((asker) => this.#lines.has(asker));
  }
}
