/** How a call ended; `open` while it is under way. */
export type Outcome =
  | "ok"
  | "check_failed"
  | "refused"
  | "503"
  | "reset_before"
  | "reset_after"
  | "broken_body"
  | "hang"
  | "open";

/** One call of the data path, as the server saw it. */
export interface Call {
  id: number;
  /** The token it came with, which names the client. */
  client: string;
  method: string;
  /** When it arrived and when its answer left, ms since the server began. */
  fromMs: number;
  toMs: number;
  /** Keys read, checked and written, readable; long lists are cut. */
  keys: string[];
  checks: number;
  mutations: number;
  /** Of its body, as it came. */
  bytes: number;
  /** Entries that were read. */
  entries: number;
  outcome: Outcome;
  /** Why it was refused. */
  why?: string;
}

const CALLS_MAX = 200_000;

/** The newest calls, and counts of all of them. */
export class Trace {
  readonly #calls: Call[] = [];
  readonly #counts = new Map<string, number>();
  readonly #beganMs = performance.now();
  #lastId = 0;

  /** The calls, oldest first. */
  get calls(): readonly Call[] {
    return this.#calls;
  }

  /** The id of the newest call. */
  get lastId(): number {
    return this.#lastId;
  }

  /** How many calls of a method had an outcome, by `method outcome`. */
  get counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort());
  }

  /** The calls after one that is known. */
  since(id: number): Call[] {
    return this.#calls.filter((call) => call.id > id);
  }

  /** Puts down a call that has just arrived. */
  begin(client: string, method: string, bytes: number): Call {
    const call: Call = {
      id: ++this.#lastId,
      client,
      method,
      fromMs: this.#nowMs(),
      toMs: 0,
      keys: [],
      checks: 0,
      mutations: 0,
      bytes,
      entries: 0,
      outcome: "open",
    };
    this.#calls.push(call);
    if (this.#calls.length > CALLS_MAX) this.#calls.splice(0, CALLS_MAX / 4);
    return call;
  }

  /** Puts down how it ended, unless that is known already. */
  end(call: Call, outcome: Outcome, why?: string): void {
    call.toMs = this.#nowMs();
    if (call.outcome === "open") call.outcome = outcome;
    if (why !== undefined) call.why = why;
    const name = `${call.method} ${call.outcome}`;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  #nowMs(): number {
    return performance.now() - this.#beganMs;
  }
}
