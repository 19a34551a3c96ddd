import { packLevel, unpackLevel } from "../domain/rate_limit/bucket_row.ts";
import type {
  BucketCommit,
  BucketRow,
  BucketRows,
  BucketWrite,
} from "../domain/rate_limit/bucket_rows.ts";
import { guardedCommit } from "./commit.ts";
import { DEFAULT_PATIENCE, guardedRead, type Patience } from "./guard.ts";
import type { KvAtomic, KvLike } from "./kv_like.ts";
import { rateBucketKey } from "./rate_bucket_keys.ts";
import { atTurnsEnd } from "./turns_end.ts";

/** How much of a store's time buckets take. */
export interface BucketLanes {
  /** Rows in one commit. */
  maxBatch: number;
  /** Commits under way at a time. */
  maxUnderWay: number;
}

/** One large commit after the other: a row in it costs least so. */
export const EMBEDDED_LANES: BucketLanes = { maxBatch: 100, maxUnderWay: 1 };
/**
 * Small commits side by side, since each takes a journey. A call of over 1,024
 * bytes leaves in two pieces, of which the second waits 40 ms for the first to
 * be acknowledged.
 */
export const REMOTE_LANES: BucketLanes = { maxBatch: 4, maxUnderWay: 32 };
/** Keys one `getMany` takes. */
const KEYS_A_READ = 10;

/** How buckets are kept in a store. */
export interface RateBucketOptions {
  /** {@linkcode EMBEDDED_LANES} or {@linkcode REMOTE_LANES}. */
  lanes: BucketLanes;
  patience?: Patience;
  /** Epoch milliseconds, for a row that cannot be read. */
  nowMs: () => number;
}

/**
 * Buckets over Deno KV: 16 bytes a row, gone once it is full.
 *
 * A locked store is asked again until the patience is spent. Should such a
 * commit have applied after all, its repeat meets another versionstamp and is
 * refused: tokens may be lost, never given twice.
 */
export function rateBuckets(
  kv: KvLike,
  options: RateBucketOptions,
): BucketRows {
  const patience = options.patience ?? DEFAULT_PATIENCE;

  function rowOf(entry: Deno.KvEntryMaybe<unknown>): BucketRow {
    if (entry.versionstamp === null) return { level: null, versionstamp: null };
    // A row that is none of ours counts as empty: never too generous, and
    // overwritten as soon as a token is due.
    const level = unpackLevel(entry.value) ??
      { milliTokens: 0, atMs: options.nowMs() };
    return { level, versionstamp: entry.versionstamp };
  }

  return {
    ...options.lanes,
    atTurnsEnd,

    async read(keys: readonly string[]): Promise<BucketRow[]> {
      const untilMs = patience.nowMs() + patience.verbMs;
      const parts = await Promise.all(
        chunks(keys.map(rateBucketKey)).map((part) =>
          guardedRead(() => kv.getMany(part), patience, untilMs)
        ),
      );
      return parts.flat().map(rowOf);
    },

    async commit(writes: readonly BucketWrite[]): Promise<BucketCommit> {
      const fill = (atomic: KvAtomic) => fillWith(atomic, writes);
      const versionstamp = await guardedCommit(kv, fill, { patience });
      return versionstamp === null ? { ok: false } : { ok: true, versionstamp };
    },
  };
}

function fillWith(atomic: KvAtomic, writes: readonly BucketWrite[]): void {
  for (const write of writes) {
    const key = rateBucketKey(write.key);
    atomic.check({ key, versionstamp: write.versionstamp });
    atomic.set(key, packLevel(write), { expireIn: write.expireInMs });
  }
}

function chunks(keys: readonly Deno.KvKey[]): Deno.KvKey[][] {
  const parts: Deno.KvKey[][] = [];
  for (let at = 0; at < keys.length; at += KEYS_A_READ) {
    parts.push(keys.slice(at, at + KEYS_A_READ));
  }
  return parts;
}
