import { evictOldest } from "../evict_oldest.ts";
import { REFRESH_GRACE_MS } from "./refresh_line.ts";

/** More than an outage leaves of refreshes under way. */
const UNTOLD_MAX = 10_000;

/**
 * The refreshes of this process that may have applied and were answered "try the
 * same again". Nobody was given what they made, so a token that was shown in one
 * is as good as it was, however long the outage lasts. Decision 0041 says why.
 */
export class UntoldRefreshes {
  /** Until when each may be shown, epoch ms, by the hash of its token. */
  readonly #untilMs = new Map<string, number>();

  /** The client of the token was told to come again. */
  leave(hash: string): void {
    this.#untilMs.set(hash, Infinity);
    evictOldest(this.#untilMs, UNTOLD_MAX);
  }

  /** Whether the token may be shown again now, though it was used. */
  isOpen(hash: string, nowMs: number): boolean {
    return nowMs <= (this.#untilMs.get(hash) ?? 0);
  }

  /** It was given its successor: that answer, too, may be lost. */
  tell(hash: string, nowMs: number): void {
    if (this.#untilMs.get(hash) !== Infinity) return;
    this.#untilMs.set(hash, nowMs + REFRESH_GRACE_MS);
  }
}
