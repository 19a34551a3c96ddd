import { evictOldest } from "../evict_oldest.ts";
import type { Visitor } from "./visitor.ts";

/** Visitors an isolate remembers: about 15 MB. */
const REMEMBERED_MAX = 100_000;

/**
 * What this isolate knows of visitors without asking the store. A visitor that
 * was counted stays counted until its time is over, so what is remembered is
 * exact; who was forgotten is looked up again.
 */
export class VisitorMemory {
  readonly #untilMs = new Map<string, number>();
  readonly #max: number;

  constructor(max: number = REMEMBERED_MAX) {
    this.#max = max;
  }

  /** Whether a click of the visitor is certainly a repeat. */
  isRepeat(hash: string, atMs: number): boolean {
    const untilMs = this.#untilMs.get(hash);
    return untilMs !== undefined && atMs < untilMs;
  }

  /** Takes note of a visitor as it lies in the store. */
  remember({ hash, untilMs }: Pick<Visitor, "hash" | "untilMs">): void {
    // Put at the end: the first ones are always the longest known.
    this.#untilMs.delete(hash);
    this.#untilMs.set(hash, untilMs);
    evictOldest(this.#untilMs, this.#max);
  }

  /** Forgets visitors whose next click counts again. */
  forget(nowMs: number): void {
    for (const [hash, untilMs] of this.#untilMs) {
      // The longest known ones are in front; the others wait their turn.
      if (untilMs > nowMs) return;
      this.#untilMs.delete(hash);
    }
  }
}
