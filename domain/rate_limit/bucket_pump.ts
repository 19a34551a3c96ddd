import { invariant } from "../invariant.ts";
import type { Clock } from "../ports.ts";
import { Batch } from "./batch.ts";
import type { Bucket, Waiter, WaitingLine } from "./bucket.ts";
import { BucketReader } from "./bucket_reader.ts";
import type { BucketRows } from "./bucket_rows.ts";
import type { LeasePolicy } from "./lease.ts";
import type { Verdict } from "./limiter.ts";
import { MAX_LINES_OF_ONE } from "./limits.ts";
import { LineTurns } from "./line_turns.ts";
import { TooManyWaiting, uncounted } from "./uncounted.ts";

/** What the pump works with. */
export interface PumpOptions {
  rows: BucketRows;
  clock: Clock;
  /** Buckets one commit takes at most. */
  maxBatch: number;
  /** Most requests that may wait at once. */
  maxWaiters: number;
  /** Longest a request may wait for its commit to begin, ms. */
  maxWaitMs: number;
  /** What it takes ahead of each bucket. */
  lease: LeasePolicy;
  /** Whether the store is known to take no writes. */
  isDown?: (() => boolean) | undefined;
}

/** What a request wants. */
export type Asked = Pick<Waiter, "buckets" | "isJoint" | "locally">;

/**
 * Group commit: a few commits are under way at a time, and requests that arrive
 * meanwhile join the next one, which takes all their tokens in one atomic
 * check-and-set, asker by asker and line by line in turns. A request is admitted only once the
 * commit that took its token is known to have applied: whatever else happens,
 * tokens may be lost but none is given twice.
 */
export class BucketPump {
  readonly #options: PumpOptions;
  readonly #rows: BucketRows;
  readonly #reader: BucketReader;
  readonly #turns = new LineTurns();
  #waiting = 0;
  #underWay = 0;
  #batchSize: number;
  #whenIdle = Promise.withResolvers<void>();
  /** Requests of one turn share a commit. */
  readonly #fillSoon: () => void;

  constructor(options: PumpOptions) {
    this.#options = options;
    this.#rows = options.rows;
    this.#reader = new BucketReader(options.rows, options.clock);
    this.#batchSize = options.maxBatch;
    this.#fillSoon = options.rows.atTurnsEnd(() => this.#fill());
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

  /**
   * Waits in the line for a token of each of the buckets; not at all while the
   * store is down and the request can be answered locally.
   */
  join(line: WaitingLine, asked: Asked): Promise<Verdict> | Verdict {
    if (asked.locally !== undefined && this.#isDown) return asked.locally();
    if (!this.#hasRoom(line)) return Promise.reject(new TooManyWaiting());
    const sinceMs = this.#options.clock.now();
    return new Promise((resolve, reject) =>
      this.#wait(line, { ...asked, sinceMs, resolve, reject })
    );
  }

  /** Has the bucket's next commit made, which takes tokens to be held. */
  renew(bucket: Bucket): void {
    if (this.#isDown || !this.#hasRoom(bucket)) return;
    const sinceMs = this.#options.clock.now();
    this.#wait(bucket, { ...RENEWAL, buckets: [bucket], sinceMs });
  }

  get #isDown(): boolean {
    return this.#options.isDown?.() ?? false;
  }

  /** Who stands in a line costs no more, however many do. */
  #hasRoom(line: WaitingLine): boolean {
    return this.#waiting < this.#options.maxWaiters &&
      (line.queued || this.#turns.sizeOf(line.asker) < MAX_LINES_OF_ONE);
  }

  #wait(line: WaitingLine, waiter: Waiter): void {
    this.#waiting++;
    line.wait(waiter);
    this.#queue(line);
    this.#fillSoon();
  }

  /** Resolves once nobody waits. */
  async idle(): Promise<void> {
    // Whose commit is under way waits for it.
    while (this.#waiting > 0) {
      await this.#whenIdle.promise;
    }
  }

  #queue(line: WaitingLine, first = false): void {
    if (line.queued || line.waiters.length === 0) return;
    line.queued = true;
    if (first) this.#turns.addFirst(line);
    else this.#turns.add(line);
  }

  /** Begins as many commits as may be under way. */
  #fill(): void {
    while (this.#underWay < this.#rows.maxUnderWay) {
      const batch = this.#nextBatch();
      if (batch.buckets.size === 0) break;
      this.#underWay++;
      // It never rejects.
      void this.#serve(batch);
    }
    if (this.#waiting === 0) this.#rest();
  }

  #rest(): void {
    this.#whenIdle.resolve();
    this.#whenIdle = Promise.withResolvers();
  }

  /** Whose turn it is, as many as one commit has room for. */
  #nextBatch(): Batch {
    const nowMs = this.#options.clock.now();
    const isAnswered = (waiter: Waiter) => this.#isAnswered(waiter, nowMs);
    const batch = new Batch(this.#batchSize);
    let hasMore = false;
    for (;;) {
      const line = this.#turns.first;
      if (line === undefined || !batch.admit(line, isAnswered)) break;
      this.#turns.passFirst();
      if (line.waiters.length > 0) {
        // The next ones of a line wait for the turns of others.
        this.#turns.add(line);
        hasMore = true;
      } else if (!batch.lines.has(line)) line.queued = false;
    }
    // A line is in one commit at a time.
    if (hasMore) this.#turns.leaveOut(batch.lines);
    return batch;
  }

  /** Answers who waited too long, or can be answered from memory by now. */
  #isAnswered(waiter: Waiter, nowMs: number): boolean {
    if (waiter.isRenewal) return false;
    if (this.#isDown && waiter.locally !== undefined) {
      waiter.resolve(waiter.locally());
    } else if (waiter.sinceMs < nowMs - this.#options.maxWaitMs) {
      waiter.reject(uncounted("the store is too slow"));
    } else {
      const verdict = fromMemory(waiter, nowMs);
      if (verdict === null) return false;
      waiter.resolve(verdict);
    }
    this.#waiting--;
    return true;
  }

  /** One commit for all of the batch; never rejects. */
  async #serve(batch: Batch): Promise<void> {
    let isLost = false;
    let failure: Error | null = null;
    try {
      isLost = !await this.#commit(batch);
    } catch (cause) {
      // Nobody knows what the commit did: who waits for it gets nothing.
      failure = uncounted("the store did not answer", cause);
      for (const bucket of batch.buckets) bucket.forget();
    }
    this.#resize(isLost || failure !== null);
    for (const [line, waiters] of batch.lines) {
      line.queued = false;
      if (isLost) line.putBack(waiters);
      else this.#waiting -= waiters.length;
      // Who lost a race goes first of its asker, others wait for their next turn.
      this.#queue(line, isLost);
    }
    if (!isLost) batch.answer(failure);
    this.#underWay--;
    this.#fill();
  }

  /** False when a race was lost and nothing was written. */
  async #commit(batch: Batch): Promise<boolean> {
    await this.#reader.refresh(batch.buckets);
    const { clock, lease } = this.#options;
    const draws = batch.draw(clock.now(), lease);
    if (draws.length === 0) return true;
    const ended = await this.#rows.commit(draws);
    for (const { bucket, leased, ...level } of draws) {
      if (ended.ok) bucket.remember(level, ended.versionstamp, leased);
      else bucket.doubt();
    }
    return ended.ok;
  }

  #resize(failed: boolean): void {
    this.#batchSize = failed
      ? Math.max(1, Math.floor(this.#batchSize / 2))
      : Math.min(this.#batchSize * 2, this.#options.maxBatch);
  }
}

/**
 * What a request is told without the store: that it is given a token that is
 * held, or that one of its buckets is known to be empty.
 */
export function fromMemory(
  { buckets, isJoint }: Asked,
  nowMs: number,
): Verdict | null {
  const [only] = buckets;
  const given = isJoint ? null : only?.give(nowMs) ?? null;
  if (given !== null) return given;
  let emptied: string | null = null;
  let retryAfterS = 0;
  for (const bucket of buckets) {
    if (!bucket.isEmpty(nowMs)) continue;
    emptied ??= bucket.id;
    retryAfterS = Math.max(retryAfterS, bucket.secondsToToken(nowMs));
  }
  if (emptied === null) return null;
  return { admitted: false, retryAfterS, ...isJoint && { emptied } };
}

/** It waits for nothing. */
const RENEWAL = {
  isJoint: false,
  isRenewal: true,
  resolve() {},
  reject() {},
};
