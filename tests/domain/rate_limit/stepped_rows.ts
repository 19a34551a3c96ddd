import type {
  BucketCommit,
  BucketRow,
  BucketRows,
  BucketWrite,
} from "../../../domain/rate_limit/bucket_rows.ts";
import type { ManualClock } from "../../support/clock.ts";

/** What becomes of a call when its turn comes. */
export type Fate =
  | "apply"
  /** Fails, and nothing is written. */
  | "fail_before"
  /** Is written, and fails nevertheless. */
  | "fail_after"
  /** Fails by its deadline, and is written in a later step. */
  | "late"
  /** A commit is written and says that it lost a race, as its repeat does. */
  | "lost_answer";

interface StoredRow extends Required<BucketRow> {
  expiresAtMs: number;
}

/**
 * Rows in memory that several isolates share. Every call waits until the test
 * gives it its turn, in any order and with any fate.
 */
export class SteppedRows {
  readonly #clock: ManualClock;
  readonly #rows = new Map<string, StoredRow>();
  readonly #waiting: ((fate: Fate) => void)[] = [];
  #version = 0;
  /** Commits that were applied, and those that lost a race. */
  commits = 0;
  lost = 0;
  /** Every call in the order it was made, such as `read a b`. */
  readonly calls: string[] = [];

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  /** Calls that wait for their turn. */
  get pending(): number {
    return this.#waiting.length;
  }

  /** The rows as one isolate sees them. */
  isolate(maxBatch = 100, maxUnderWay = 1): BucketRows {
    return {
      maxBatch,
      maxUnderWay,
      atTurnsEnd: inMicrotask,
      read: (keys) => {
        this.calls.push(["read", ...keys].join(" "));
        const read = () => keys.map((key) => this.#rowOf(key));
        return this.#turn(read, read);
      },
      commit: (writes) => {
        this.calls.push(["commit", ...writes.map(({ key }) => key)].join(" "));
        return this.#turn(() => this.#commit(writes), () => {
          this.#commit(writes);
          return { ok: false };
        });
      },
    };
  }

  /** Gives one waiting call its turn, and lets what follows from it happen. */
  async step(which = 0, fate: Fate = "apply"): Promise<void> {
    await settle();
    const at = which % Math.max(1, this.#waiting.length);
    const [call] = this.#waiting.splice(at, 1);
    call?.(fate);
    await settle();
  }

  /** Steps until no call waits. */
  async drain(): Promise<void> {
    await settle();
    while (this.pending > 0) await this.step();
  }

  /** Removes the rows whose time is up, as a store does now and then. */
  expire(): void {
    for (const [key, row] of this.#rows) {
      if (row.expiresAtMs <= this.#clock.now()) this.#rows.delete(key);
    }
  }

  #turn<T>(run: () => T, answerLost: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push((fate) => {
        if (fate === "apply") return resolve(run());
        if (fate === "lost_answer") return resolve(answerLost());
        if (fate === "fail_after") run();
        if (fate === "late") this.#waiting.push((last) => late(last, run));
        reject(new Error(`The test made the call ${fate}`));
      });
    });
  }

  #rowOf(key: string): BucketRow {
    return this.#rows.get(key) ?? { level: null, versionstamp: null };
  }

  #commit(writes: readonly BucketWrite[]): BucketCommit {
    const valid = writes.every((write) =>
      this.#rowOf(write.key).versionstamp === write.versionstamp
    );
    if (!valid) {
      this.lost++;
      return { ok: false };
    }
    this.commits++;
    const versionstamp = String(++this.#version).padStart(20, "0");
    for (const { key, milliTokens, atMs, expireInMs } of writes) {
      const expiresAtMs = this.#clock.now() + expireInMs;
      const level = { milliTokens, atMs };
      this.#rows.set(key, { level, versionstamp, expiresAtMs });
    }
    return { ok: true, versionstamp };
  }
}

function late(fate: Fate, run: () => unknown): void {
  if (fate !== "fail_before") run();
}

/** What is asked for at once goes together. */
export function inMicrotask(run: () => void): () => void {
  let planned = false;
  return () => {
    if (planned) return;
    planned = true;
    queueMicrotask(() => {
      planned = false;
      run();
    });
  };
}

/** Lets every promise that can go on do so. */
export async function settle(): Promise<void> {
  for (let n = 0; n < 30; n++) await null;
}
