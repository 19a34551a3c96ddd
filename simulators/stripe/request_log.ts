/**
 * The last requests, for whoever wants to see what was asked.
 *
 * @module
 */

/** Most requests remembered. */
export const MAX_LOGGED = 1_000;

/** One request. */
export interface LoggedRequest {
  /** The `request-id` of the answer. */
  request_id: string;
  /** When it came, epoch milliseconds. */
  at_ms: number;
  /** HTTP method. */
  method: string;
  /** Path without the query. */
  path: string;
  /** The key it came with. */
  idempotency_key: string | null;
  /** Whether a saved result answered it. */
  replayed: boolean;
  /** The fault that struck it. */
  fault: string | null;
  /** The answer's status; `null` when there was none. */
  status: number | null;
}

/** Remembers the newest requests. */
export class RequestLog {
  #entries: LoggedRequest[] = [];
  #next = 0;

  /** Remembers a request, in place of the oldest when there are too many. */
  add(entry: LoggedRequest): void {
    this.#entries[this.#next % MAX_LOGGED] = entry;
    this.#next += 1;
  }

  /** The requests, oldest first. */
  list(): LoggedRequest[] {
    if (this.#next <= MAX_LOGGED) return [...this.#entries];
    const at = this.#next % MAX_LOGGED;
    return [...this.#entries.slice(at), ...this.#entries.slice(0, at)];
  }

  /** Forgets all requests. */
  clear(): void {
    this.#entries = [];
    this.#next = 0;
  }
}
