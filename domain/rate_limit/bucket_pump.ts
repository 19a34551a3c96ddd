import { invariant } from "../invariant.ts";
import type { Clock } from "../ports.ts";
import type { Bucket, Waiter } from "./bucket.ts";
import { TOKEN, wholeTokens } from "./bucket_level.ts";
import { BucketReader } from "./bucket_reader.ts";
import type { BucketRows, BucketWrite } from "./bucket_rows.ts";
import type { Verdict } from "./limiter.ts";
import { TooManyWaiting, uncounted } from "./uncounted.ts";
import { bucketWrite } from "./stored_level.ts";

/** What the pump works with. */
export interface PumpOptions {
  rows: BucketRows;
  clock: Clock;
  /** Most requests that may wait at once. */
  maxWaiters: number;
  /** Longest a request may wait for its commit to begin, ms. */
  maxWaitMs: number;
}

/** One bucket's part of a commit: the first `count` waiters get a token. */
interface Draw extends BucketWrite {
  bucket: Bucket;
  waiters: Waiter[];
  waitingSinceMs: number;
  count: number;
}

/**
 * Group commit: one commit is under way at a time, and requests that arrive
 * meanwhile join the next one, which takes all their tokens in one atomic
 * check-and-set. A request is admitted only once the commit that took its
 * token is known to have applied: whatever else happens, tokens may be lost
 * but none is given twice.
 */
export class BucketPump {
  readonly #options: PumpOptions;
  readonly #rows: BucketRows;
  readonly #reader: BucketReader;
  /** Buckets somebody waits for, in the order they will be served. */
  readonly #ready: Bucket[] = [];
  #waiting = 0;
  #batchSize: number;
  #running: Promise<void> | null = null;

  constructor(options: PumpOptions) {
    this.#options = options;
    this.#rows = options.rows;
    this.#reader = new BucketReader(options.rows, options.clock);
    this.#batchSize = options.rows.maxBatch;
    invariant(this.#batchSize >= 1, "a commit takes at least one bucket");
  }

  /** Buckets the next commit may take; halved by every failure. */
  get batchSize(): number {
    return this.#batchSize;
  }

  /** Requests that wait for their verdict. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Waits for a token of the bucket. */
  join(bucket: Bucket, nowMs: number): Promise<Verdict> {
    if (this.#waiting >= this.#options.maxWaiters) {
      return Promise.reject(new TooManyWaiting());
    }
    this.#waiting++;
    if (bucket.waiters.length === 0) bucket.waitingSinceMs = nowMs;
    if (!bucket.queued) {
      bucket.queued = true;
      this.#ready.push(bucket);
    }
    const verdict = new Promise<Verdict>((resolve, reject) => {
      bucket.wait({ resolve, reject });
    });
    this.#running ??= this.#run();
    return verdict;
  }

  /** Resolves once nobody waits. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  /** Never rejects, and ends only when nobody waits. */
  async #run(): Promise<void> {
    await null; // so that requests of one turn share the first commit
    while (this.#ready.length > 0) {
      const batch = this.#ready.splice(0, this.#batchSize);
      let lostRace = false;
      try {
        this.#refuseLate(batch);
        lostRace = await this.#serve(batch);
      } catch (error) {
        this.#abandon(batch, error);
      }
      this.#requeue(batch, lostRace);
    }
    this.#running = null;
  }

  /** One commit for all buckets of the batch; tells whether it lost a race. */
  async #serve(batch: readonly Bucket[]): Promise<boolean> {
    await this.#reader.refresh(batch);
    const draws = this.#draw(batch);
    if (draws.length === 0) return false;
    let ended;
    try {
      ended = await this.#rows.commit(draws);
    } catch (error) {
      this.#lose(draws, error);
      return false;
    }
    if (ended.ok) this.#settle(draws, ended.versionstamp);
    else this.#retry(draws);
    return !ended.ok;
  }

  /** Who lost a race goes first, others wait for their next turn. */
  #requeue(batch: readonly Bucket[], first: boolean): void {
    for (const bucket of batch) bucket.queued = bucket.waiters.length > 0;
    const again = batch.filter((bucket) => bucket.queued);
    if (first) this.#ready.unshift(...again);
    else this.#ready.push(...again);
  }

  /** Works out every bucket's write; an empty one answers its waiters now. */
  #draw(batch: readonly Bucket[]): Draw[] {
    const nowMs = this.#options.clock.now();
    const draws: Draw[] = [];
    for (const bucket of batch) {
      if (this.#denyIfEmpty(bucket, nowMs)) continue;
      const { waitingSinceMs } = bucket;
      const waiters = bucket.takeWaiters();
      if (waiters.length === 0) continue;
      const level = bucket.milliTokensAt(nowMs);
      const count = Math.min(wholeTokens(level), waiters.length);
      draws.push({
        ...bucketWrite(bucket, level - count * TOKEN, nowMs),
        bucket,
        waiters,
        waitingSinceMs,
        count,
      });
    }
    return draws;
  }

  /** The commit applied: admits, and denies where nothing is left. */
  #settle(draws: readonly Draw[], versionstamp: string): void {
    this.#batchSize = Math.min(this.#batchSize * 2, this.#rows.maxBatch);
    const nowMs = this.#options.clock.now();
    for (const draw of draws) {
      const { bucket, waiters, count } = draw;
      bucket.remember(draw.milliTokens, draw.atMs, versionstamp);
      let remaining = wholeTokens(draw.milliTokens) + count;
      for (let at = 0; at < count; at++) {
        waiters[at]?.resolve({ admitted: true, remaining: --remaining });
      }
      this.#waiting -= count;
      if (waiters.length > count) putBack(draw, waiters.slice(count));
      this.#denyIfEmpty(bucket, nowMs);
    }
  }

  /** A race was lost, nothing was written: reads again, in smaller batches. */
  #retry(draws: readonly Draw[]): void {
    this.#shrink();
    for (const draw of draws) {
      draw.bucket.known = false;
      putBack(draw, draw.waiters);
    }
  }

  /** Nobody knows what the commit did: its waiters get nothing. */
  #lose(draws: readonly Draw[], cause: unknown): void {
    this.#shrink();
    const error = uncounted("the store did not confirm", cause);
    for (const { bucket, waiters } of draws) {
      bucket.forget();
      this.#reject(waiters, error);
    }
  }

  /** The store could not even be read. */
  #abandon(batch: readonly Bucket[], cause: unknown): void {
    this.#shrink();
    const error = uncounted("the store did not answer", cause);
    for (const bucket of batch) {
      bucket.forget();
      this.#reject(bucket.takeWaiters(), error);
    }
  }

  #refuseLate(batch: readonly Bucket[]): void {
    const latestMs = this.#options.clock.now() - this.#options.maxWaitMs;
    for (const bucket of batch) {
      if (bucket.waitingSinceMs >= latestMs) continue;
      const error = uncounted("the store is too slow");
      this.#reject(bucket.takeWaiters(), error);
    }
  }

  #denyIfEmpty(bucket: Bucket, nowMs: number): boolean {
    if (bucket.waiters.length === 0 || !bucket.isEmpty(nowMs)) return false;
    const verdict = bucket.denial(nowMs);
    const waiters = bucket.takeWaiters();
    this.#waiting -= waiters.length;
    for (const waiter of waiters) waiter.resolve(verdict);
    return true;
  }

  #reject(waiters: readonly Waiter[], error: Error): void {
    this.#waiting -= waiters.length;
    for (const waiter of waiters) waiter.reject(error);
  }

  #shrink(): void {
    this.#batchSize = Math.max(1, Math.floor(this.#batchSize / 2));
  }
}

/** Waiters go back before those who came meanwhile. */
function putBack(draw: Draw, waiters: Waiter[]): void {
  const { bucket } = draw;
  bucket.waiters = waiters.concat(bucket.waiters);
  bucket.waitingSinceMs = draw.waitingSinceMs;
}
