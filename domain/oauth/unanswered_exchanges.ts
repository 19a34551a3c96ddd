import { evictOldest } from "../evict_oldest.ts";
import type { TokenSecrets } from "./issue_tokens.ts";

/** How long an exchange that was answered "try again" may be repeated: 30 s. */
const REPEATED_MS = 30_000;
/** More at once than an outage leaves behind. */
const UNANSWERED_MAX = 10_000;

/** An exchange of which nobody knows whether it is stored. */
export interface UnansweredExchange {
  /** What its tokens are made of; nobody was given them. */
  secrets: TokenSecrets;
  /** When they were issued, if they were. */
  atMs: number;
}

/**
 * The exchanges that this process answered with "try the same again", by the
 * hash of their code. The same request is then no replay: its client was given
 * no tokens. Decision 0041 says why.
 */
export class UnansweredExchanges {
  readonly #byCode = new Map<
    string,
    UnansweredExchange & { untilMs: number }
  >();

  /** Keeps one for 30 s from now on. */
  note(hash: string, exchange: UnansweredExchange, nowMs: number): void {
    this.#byCode.delete(hash);
    this.#byCode.set(hash, { ...exchange, untilMs: nowMs + REPEATED_MS });
    evictOldest(this.#byCode, UNANSWERED_MAX);
  }

  /** What the same code was answered before, if it may be repeated. */
  find(hash: string, nowMs: number): UnansweredExchange | null {
    for (const [code, { untilMs }] of this.#byCode) {
      if (untilMs >= nowMs) break;
      this.#byCode.delete(code);
    }
    return this.#byCode.get(hash) ?? null;
  }
}
