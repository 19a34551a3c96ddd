import { invariant } from "../invariant.ts";
import type { Clock } from "../ports.ts";
import { RoundRobin } from "../round_robin.ts";
import { TRACKED_READS_MAX } from "../tables.ts";
import { milliTokensAt, secondsToToken, TOKEN } from "./bucket_level.ts";
import type { BucketRows } from "./bucket_rows.ts";
import type { Charge } from "./charge.ts";
import { EmptyBuckets } from "./empty_buckets.ts";
import type { JointVerdict } from "./limiter.ts";
import { bucketWrite, type FoundBucket, storedLevel } from "./stored_level.ts";
import { TooManyWaiting, uncounted } from "./uncounted.ts";

/** Buckets one commit takes: as many checks as any store does. */
export const JOINT_BUCKETS_MAX = TRACKED_READS_MAX;

/** What the pump works with. */
export interface JointPumpOptions {
  rows: BucketRows;
  clock: Clock;
  /** The stored name of a bucket. */
  keyOf: (id: string) => string;
  /** Most requests that may wait at once. */
  maxWaiters: number;
  /** Of them for one asker. */
  maxWaitersOfOne: number;
  /** Longest a request may wait for its commit to begin, ms. */
  maxWaitMs: number;
  /** Most empty buckets that are remembered. */
  maxBuckets: number;
}

/** A request that waits for a token of each of its buckets. */
interface Waiter {
  charges: ReadonlyMap<string, Charge>;
  sinceMs: number;
  resolve(verdict: JointVerdict): void;
  reject(error: Error): void;
}

/**
 * Takes tokens of several buckets in one commit, or of none. One commit is
 * under way at a time; requests that arrive meanwhile join the next one, asker
 * by asker in turns, as long as it stays within its checks. From one commit to
 * the next it remembers only which buckets are empty: whoever draws on one of
 * them is refused without waiting, and without the store.
 */
export class JointPump {
  readonly #options: JointPumpOptions;
  readonly #empty: EmptyBuckets;
  readonly #turns = new RoundRobin<Waiter>();
  /** Who lost a race goes first. */
  #again: Waiter[] = [];
  #running: Promise<void> | null = null;

  constructor(options: JointPumpOptions) {
    this.#options = options;
    this.#empty = new EmptyBuckets(options.maxBuckets);
  }

  /** Waits for a token of each bucket. */
  join(charges: readonly Charge[], asker: string): Promise<JointVerdict> {
    const { clock, keyOf } = this.#options;
    const byKey = new Map(charges.map((each) => [keyOf(each.id), each]));
    invariant(byKey.size === charges.length, "a bucket is charged once");
    invariant(byKey.size <= JOINT_BUCKETS_MAX, "a commit takes 9 buckets");
    const sinceMs = clock.now();
    const denial = this.#empty.denial(byKey, sinceMs);
    if (denial !== null) return Promise.resolve(denial);
    if (this.#isFullFor(asker)) return Promise.reject(new TooManyWaiting());
    const { promise, resolve, reject } = Promise.withResolvers<JointVerdict>();
    this.#turns.add(asker, { charges: byKey, sinceMs, resolve, reject });
    this.#running ??= this.#run();
    return promise;
  }

  /** Resolves once nobody waits. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  #isFullFor(asker: string): boolean {
    const { maxWaiters, maxWaitersOfOne } = this.#options;
    return this.#turns.size >= maxWaiters ||
      this.#turns.sizeOf(asker) >= maxWaitersOfOne;
  }

  /** Never rejects, and ends only when nobody waits. */
  async #run(): Promise<void> {
    await null; // so that requests of one turn share the first commit
    while (this.#again.length > 0 || this.#turns.size > 0) {
      const batch = this.#nextBatch();
      try {
        const isDone = await this.#serve(batch);
        // A race was lost and nothing was written: the same ones again.
        if (!isDone) this.#again = [...batch, ...this.#again];
      } catch (cause) {
        const error = uncounted("the store did not confirm", cause);
        for (const waiter of batch) waiter.reject(error);
      }
    }
    this.#running = null;
  }

  /** Whose turn it is, as many as one commit has room for. */
  #nextBatch(): Waiter[] {
    const keys = new Set<string>();
    const batch: Waiter[] = [];
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const { waiter, leave } = next;
      if (!this.#isAnswered(waiter)) {
        const more = [...waiter.charges.keys()].filter((key) => !keys.has(key));
        if (keys.size + more.length > JOINT_BUCKETS_MAX) break;
        for (const key of more) keys.add(key);
        batch.push(waiter);
      }
      leave();
    }
    return batch;
  }

  #next(): { waiter: Waiter; leave: () => void } | null {
    const [again] = this.#again;
    if (again !== undefined) {
      return { waiter: again, leave: () => this.#again.shift() };
    }
    for (const [asker, waiter] of this.#turns.all()) {
      return { waiter, leave: () => this.#turns.take(asker, waiter) };
    }
    return null;
  }

  /** Answers who waited too long, or for a bucket that is empty by now. */
  #isAnswered({ charges, sinceMs, resolve, reject }: Waiter): boolean {
    const { clock, maxWaitMs } = this.#options;
    const nowMs = clock.now();
    if (sinceMs < nowMs - maxWaitMs) {
      reject(uncounted("the store is too slow"));
      return true;
    }
    const denial = this.#empty.denial(charges, nowMs);
    if (denial !== null) resolve(denial);
    return denial !== null;
  }

  /** One read and one commit for all of them; false when a race was lost. */
  async #serve(batch: readonly Waiter[]): Promise<boolean> {
    const { rows, clock } = this.#options;
    const found = await this.#find(batch);
    const nowMs = clock.now();
    const left = new Map<string, number>();
    const verdicts = batch.map(({ charges }) =>
      draw(charges, found, left, nowMs)
    );
    const writes = [...left].map(([key, milliTokens]) =>
      bucketWrite(foundAt(found, key), milliTokens, nowMs)
    );
    if (writes.length > 0 && !(await rows.commit(writes)).ok) return false;
    this.#noteEmpty(batch, found, left, nowMs);
    batch.forEach((waiter, at) => {
      const verdict = verdicts[at];
      invariant(verdict !== undefined, "each has a verdict");
      waiter.resolve(verdict);
    });
    return true;
  }

  /** What the store is known to hold now, as read or as written. */
  #noteEmpty(
    batch: readonly Waiter[],
    found: ReadonlyMap<string, FoundBucket>,
    left: ReadonlyMap<string, number>,
    nowMs: number,
  ): void {
    for (const [key, charge] of batch.flatMap(({ charges }) => [...charges])) {
      const bucket = foundAt(found, key);
      const written = left.get(key);
      const level = written === undefined
        ? bucket
        : { milliTokens: written, atMs: Math.max(nowMs, bucket.atMs) };
      this.#empty.note(key, charge, level, nowMs);
    }
  }

  async #find(batch: readonly Waiter[]): Promise<Map<string, FoundBucket>> {
    const { rows, clock } = this.#options;
    const charged = new Map(batch.flatMap(({ charges }) => [...charges]));
    if (charged.size === 0) return new Map();
    const read = await rows.read([...charged.keys()]);
    const nowMs = clock.now();
    return new Map([...charged].map(([key, { policy }], at) => {
      const row = read[at];
      invariant(row !== undefined, "the store answers every key it is asked");
      const { versionstamp } = row;
      const level = storedLevel(row, policy, nowMs);
      return [key, { ...level, key, versionstamp, policy }];
    }));
  }
}

/** Takes a token of each bucket out of what is left, or of none. */
function draw(
  charges: ReadonlyMap<string, Charge>,
  found: ReadonlyMap<string, FoundBucket>,
  left: Map<string, number>,
  nowMs: number,
): JointVerdict {
  const buckets = [...charges].map(([key, { id }]) => {
    const bucket = foundAt(found, key);
    const milliTokens = left.get(key) ??
      milliTokensAt(bucket, bucket.policy, nowMs);
    return { ...bucket, id, milliTokens, atMs: Math.max(nowMs, bucket.atMs) };
  });
  const empty = buckets.filter(({ milliTokens }) => milliTokens < TOKEN);
  const [first] = empty;
  if (first === undefined) {
    for (const { key, milliTokens } of buckets) {
      left.set(key, milliTokens - TOKEN);
    }
    return { admitted: true };
  }
  const waits = empty.map((each) => secondsToToken(each, each.policy, nowMs));
  return {
    admitted: false,
    retryAfterS: Math.max(...waits),
    emptied: first.id,
  };
}

function foundAt(
  found: ReadonlyMap<string, FoundBucket>,
  key: string,
): FoundBucket {
  const bucket = found.get(key);
  invariant(bucket !== undefined, "every charged bucket was read");
  return bucket;
}
