import { invariant } from "../invariant.ts";
import type { Clock } from "../ports.ts";
import { AskerLine } from "./bucket.ts";
import { BucketMemory } from "./bucket_memory.ts";
import { BucketPump, fromMemory } from "./bucket_pump.ts";
import type { BucketRows } from "./bucket_rows.ts";
import type { Charge } from "./charge.ts";
import { NO_LEASE } from "./lease.ts";
import type { Verdict } from "./limiter.ts";
import {
  JOINT_BUCKETS_MAX,
  MAX_BUCKETS,
  MAX_JOINT_WAITERS,
  MAX_JOINT_WAITERS_OF_ONE,
  MAX_WAIT_MS,
} from "./limits.ts";
import { TooManyWaiting } from "./uncounted.ts";

/** What the limiter of joint requests is made of. */
export interface JointLimiterOptions {
  rows: BucketRows;
  clock: Clock;
  /** A keyed one-way function, so that no row names an address. */
  hashId: (text: string) => string;
  maxBuckets?: number;
  maxWaiters?: number;
  maxWaitMs?: number;
}

/**
 * The part of an isolate's limiter for requests that draw on several buckets,
 * whose askers take turns. Nothing is taken ahead: some buckets are slow.
 */
export class JointLimiter {
  readonly #clock: Clock;
  readonly #pump: BucketPump;
  readonly #memory: BucketMemory;
  /** By asker, those in which somebody waits. */
  readonly #lines = new Map<string, AskerLine>();

  constructor(options: JointLimiterOptions) {
    const { rows, clock, hashId, maxBuckets = MAX_BUCKETS } = options;
    const { maxWaiters = MAX_JOINT_WAITERS, maxWaitMs = MAX_WAIT_MS } = options;
    this.#clock = clock;
    this.#memory = new BucketMemory(maxBuckets, hashId);
    this.#pump = new BucketPump({
      rows,
      clock,
      maxBatch: Math.min(rows.maxBatch, JOINT_BUCKETS_MAX),
      maxWaiters,
      maxWaitMs,
      lease: NO_LEASE,
    });
  }

  /** How many askers are remembered: those of whom somebody waits. */
  get askers(): number {
    return this.#lines.size;
  }

  /** Takes one token of each bucket, or none, as a limiter's `takeAll()`. */
  async takeAll(charges: readonly Charge[], asker: string): Promise<Verdict> {
    const ids = new Set(charges.map(({ id }) => id));
    invariant(ids.size === charges.length, "a bucket is charged once");
    invariant(ids.size > 0, "a bucket is charged");
    invariant(ids.size <= JOINT_BUCKETS_MAX, "a commit takes 9 buckets");
    const nowMs = this.#clock.now();
    // Whoever is refused is given no place in the memory.
    const known = charges.flatMap(({ id }) => this.#memory.find(id) ?? []);
    const denial = fromMemory({ buckets: known, isJoint: true }, nowMs);
    if (denial !== null) return denial;
    const line = this.#lineOf(asker);
    const buckets = charges.map(({ id, policy }) =>
      this.#memory.of(id, policy, nowMs)
    );
    try {
      return await this.#pump.join(line, { buckets, isJoint: true });
    } finally {
      this.#leave(asker);
    }
  }

  /** Resolves once nobody waits. */
  idle(): Promise<void> {
    return this.#pump.idle();
  }

  #lineOf(asker: string): AskerLine {
    const line = this.#lines.get(asker) ?? new AskerLine(asker);
    if (line.waiters.length >= MAX_JOINT_WAITERS_OF_ONE) {
      throw new TooManyWaiting();
    }
    this.#lines.set(asker, line);
    return line;
  }

  /** Whoever is answered may have been the asker's last, who is forgotten. */
  #leave(asker: string): void {
    if (!this.#lines.get(asker)?.queued) this.#lines.delete(asker);
  }
}
