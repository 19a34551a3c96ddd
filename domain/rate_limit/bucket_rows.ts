import type { BucketLevel } from "./bucket_level.ts";

/** A stored bucket and the version of its row. */
export interface BucketRow {
  /** `null` when there is no row: the bucket is full. */
  level: BucketLevel | null;
  /** `null` when there is no row. */
  versionstamp: string | null;
}

/** A change of one row, valid only if its version is still the given one. */
export interface BucketWrite extends BucketLevel {
  key: string;
  versionstamp: string | null;
  /** From now; the row may go any time after that, never before. */
  expireInMs: number;
}

/** The answer to a commit: all rows were written, or none. */
export type BucketCommit =
  | { ok: true; versionstamp: string }
  | { ok: false };

/**
 * Where buckets are kept. Both calls settle in bounded time whatever the store
 * does. Calls may overlap: the versions alone keep a bucket exact.
 */
export interface BucketRows {
  /** Most rows one commit takes. */
  readonly maxBatch: number;
  /** Commits that are under way at a time, at most. */
  readonly maxUnderWay: number;
  /** Makes of a function one that runs once all requests of a turn have come. */
  atTurnsEnd(run: () => void): () => void;
  /**
   * The rows of the keys, in their order, strongly consistent each.
   *
   * @throws when the store does not answer
   */
  read(keys: readonly string[]): Promise<BucketRow[]>;
  /**
   * Writes all rows in one atomic step if no version has changed.
   *
   * @throws when it is not known whether the commit applied, or it did not
   */
  commit(writes: readonly BucketWrite[]): Promise<BucketCommit>;
}
