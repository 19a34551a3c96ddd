import { invariant } from "../invariant.ts";
import type { Clock } from "../ports.ts";
import { milliTokensAt, secondsToToken, TOKEN } from "./bucket_level.ts";
import type { BucketRows } from "./bucket_rows.ts";
import type { Charge } from "./charge.ts";
import type { JointVerdict } from "./limiter.ts";
import { bucketWrite, type FoundBucket, storedLevel } from "./stored_level.ts";
import { uncounted } from "./uncounted.ts";

/** Buckets one commit takes: as many checks as any store does. */
export const JOINT_BUCKETS_MAX = 10;

/** What the pump works with. */
export interface JointPumpOptions {
  rows: BucketRows;
  clock: Clock;
  /** The stored name of a bucket. */
  keyOf: (id: string) => string;
  /** Most requests that may wait at once. */
  maxWaiters: number;
  /** Longest a request may wait for its commit to begin, ms. */
  maxWaitMs: number;
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
 * under way at a time; requests that arrive meanwhile join the next one, in
 * their order, as long as it stays within its checks. It remembers nothing
 * from one commit to the next: what is charged like this is rare.
 */
export class JointPump {
  readonly #options: JointPumpOptions;
  #queue: Waiter[] = [];
  #running: Promise<void> | null = null;

  constructor(options: JointPumpOptions) {
    this.#options = options;
  }

  /** Waits for a token of each bucket. */
  join(charges: readonly Charge[]): Promise<JointVerdict> {
    const { clock, keyOf, maxWaiters } = this.#options;
    const byKey = new Map(charges.map((each) => [keyOf(each.id), each]));
    invariant(byKey.size === charges.length, "a bucket is charged once");
    invariant(byKey.size <= JOINT_BUCKETS_MAX, "a commit takes 10 buckets");
    if (this.#queue.length >= maxWaiters) {
      return Promise.reject(uncounted("too many requests are waiting"));
    }
    const { promise, resolve, reject } = Promise.withResolvers<JointVerdict>();
    const sinceMs = clock.now();
    this.#queue.push({ charges: byKey, sinceMs, resolve, reject });
    this.#running ??= this.#run();
    return promise;
  }

  /** Resolves once nobody waits. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  /** Never rejects, and ends only when nobody waits. */
  async #run(): Promise<void> {
    await null; // so that requests of one turn share the first commit
    while (this.#queue.length > 0) {
      const batch = this.#nextBatch();
      try {
        const isDone = await this.#serve(batch);
        // A race was lost and nothing was written: the same ones again.
        if (!isDone) this.#queue = [...batch, ...this.#queue];
      } catch (cause) {
        const error = uncounted("the store did not confirm", cause);
        for (const waiter of batch) waiter.reject(error);
      }
    }
    this.#running = null;
  }

  /** Those who wait longest, as many as one commit has room for. */
  #nextBatch(): Waiter[] {
    const { clock, maxWaitMs } = this.#options;
    const latestMs = clock.now() - maxWaitMs;
    const keys = new Set<string>();
    const batch: Waiter[] = [];
    let taken = 0;
    for (const waiter of this.#queue) {
      if (waiter.sinceMs < latestMs) {
        waiter.reject(uncounted("the store is too slow"));
      } else {
        const more = [...waiter.charges.keys()].filter((key) => !keys.has(key));
        if (keys.size + more.length > JOINT_BUCKETS_MAX) break;
        for (const key of more) keys.add(key);
        batch.push(waiter);
      }
      taken += 1;
    }
    this.#queue = this.#queue.slice(taken);
    return batch;
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
    batch.forEach((waiter, at) => {
      const verdict = verdicts[at];
      invariant(verdict !== undefined, "each has a verdict");
      waiter.resolve(verdict);
    });
    return true;
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
