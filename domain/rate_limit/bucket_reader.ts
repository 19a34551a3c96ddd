import { invariant } from "../invariant.ts";
import type { Clock } from "../ports.ts";
import type { Bucket } from "./bucket.ts";
import type { BucketRow, BucketRows } from "./bucket_rows.ts";

/** So many new buckets in a row without a row make the next one a safe bet. */
const ABSENT_BEFORE_GUESSING = 32;

const ABSENT: BucketRow = { level: null, versionstamp: null };

/**
 * Learns what a commit needs to know of its buckets, with as few reads as it
 * can. Most buckets that are new to an isolate have no row; while that holds,
 * it is taken for granted and left to the commit to check. One that was wrong
 * loses its race like any other and is read, which ends the guessing until it
 * pays again.
 */
export class BucketReader {
  readonly #rows: BucketRows;
  readonly #clock: Clock;
  #absentInARow = 0;

  constructor(rows: BucketRows, clock: Clock) {
    this.#rows = rows;
    this.#clock = clock;
  }

  /**
   * Brings the buckets up to date.
   *
   * @throws when the store does not answer
   */
  async refresh(batch: Iterable<Bucket>): Promise<void> {
    const unknown = this.#unknown(batch);
    if (unknown.length === 0) return;
    const rows = await this.#rows.read(unknown.map((bucket) => bucket.key));
    const nowMs = this.#clock.now();
    unknown.forEach((bucket, at) => {
      const row = rows[at];
      invariant(row !== undefined, "the store answers every key it is asked");
      if (row.versionstamp !== null) this.#absentInARow = 0;
      else if (bucket.isNew) this.#absentInARow++;
      bucket.adopt(row, nowMs);
    });
  }

  #unknown(batch: Iterable<Bucket>): Bucket[] {
    const nowMs = this.#clock.now();
    const guessing = this.#absentInARow >= ABSENT_BEFORE_GUESSING;
    const unknown: Bucket[] = [];
    for (const bucket of batch) {
      if (bucket.isUsable(nowMs)) continue;
      if (guessing && bucket.isNew) bucket.adopt(ABSENT, nowMs);
      else unknown.push(bucket);
    }
    return unknown;
  }
}
