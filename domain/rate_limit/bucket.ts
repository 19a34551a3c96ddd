import {
  type BucketLevel,
  fullAtMs,
  milliTokensAt,
  secondsToToken,
  TOKEN,
  wholeTokens,
} from "./bucket_level.ts";
import type { BucketRow } from "./bucket_rows.ts";
import { leaseEndMs, leaseOf, type LeasePolicy } from "./lease.ts";
import type { Verdict } from "./limiter.ts";
import { Line } from "./line.ts";
import type { BucketPolicy } from "./policy.ts";
import { EXPIRY_MARGIN_MS, storedLevel } from "./stored_level.ts";

/** After a lost race, so many commits in a row read the bucket first. */
const SHARED_READS = 8;

/** One request that waits for a token of each of its buckets. */
export interface Waiter {
  buckets: readonly Bucket[];
  /** Whether it asked for several, and is told which of them is empty. */
  isJoint: boolean;
  sinceMs: number;
  /** What it is told while the store does not answer, where it need not wait. */
  locally?: (() => Verdict) | undefined;
  resolve(verdict: Verdict): void;
  reject(error: Error): void;
}

/** Where requests wait for their turn. */
export type WaitingLine = Line<Waiter>;

/**
 * What one isolate remembers of a bucket, and who waits for it alone. Memory
 * only saves reads: the versionstamp makes the store refuse a commit that
 * rests on anything but the latest row, and a remembered level that is older
 * than the row can only be too generous, so whoever is refused for an empty one
 * is refused rightly. All of it may be forgotten at any time.
 *
 * Tokens that are held (`lease.ts`) are part of the level here and not of the
 * row: what nobody wanted goes back with the next commit, which the row's
 * version allows only if no other isolate has written meanwhile.
 */
export class Bucket extends Line<Waiter> implements BucketLevel {
  /** What it is of, as its memory knows it. */
  readonly id: string;
  /** What the store knows it by. */
  readonly key: string;
  readonly policy: BucketPolicy;
  milliTokens = 0;
  atMs = 0;
  versionstamp: string | null = null;
  /** Whether level and versionstamp may be used. */
  known = false;
  /** Whether nothing was ever known of it here. */
  isNew = true;
  /** Set by every request, cleared as the evicting hand passes. */
  recent = true;
  /** From then on the row may have expired and memory is not the store. */
  #staleAtMs = 0;
  #readsAhead = 0;
  /** Whether the row was another isolate's when it was last met anew. */
  #wasOthers = false;
  /** Tokens that are held and were not given yet. */
  #held = 0;
  #heldUntilMs = 0;
  /** How many the last commit took to be held. */
  #lastLease = 0;

  constructor(id: string, key: string, policy: BucketPolicy) {
    super();
    this.id = id;
    this.key = key;
    this.policy = policy;
  }

  /** Thousandths of a token in it, as far as this isolate knows. */
  milliTokensAt(nowMs: number): number {
    return milliTokensAt(this, this.policy, nowMs);
  }

  /**
   * Whether memory may stand for the row. A level from further ahead than
   * clocks may differ is a clock that was wrong; it must not close the bucket.
   */
  isUsable(nowMs: number): boolean {
    return this.known && this.#readsAhead === 0 && this.#isPlausible(nowMs) &&
      nowMs < this.#staleAtMs;
  }

  /** Whether it is known to hold no token, here and in every isolate. */
  isEmpty(nowMs: number): boolean {
    return this.known && this.milliTokensAt(nowMs) < TOKEN &&
      this.#isPlausible(nowMs);
  }

  /** Whether time has filled it, as far as this isolate knows. */
  isFull(nowMs: number): boolean {
    const full = this.policy.capacity * TOKEN;
    return this.known && this.milliTokensAt(nowMs) >= full;
  }

  /** What an empty bucket answers. */
  denial(nowMs: number): Verdict {
    const retryAfterS = secondsToToken(this, this.policy, nowMs);
    return { admitted: false, retryAfterS };
  }

  /** Gives a token that is held; null when there is none. */
  give(nowMs: number): Verdict | null {
    // Before the level's moment: the clock ran backwards.
    if (nowMs < this.atMs || nowMs >= this.#heldUntilMs) return null;
    if (this.#held === 0) return null;
    this.#held--;
    this.milliTokens = this.milliTokensAt(nowMs) - TOKEN;
    this.atMs = nowMs;
    return { admitted: true, remaining: wholeTokens(this.milliTokens) };
  }

  /**
   * How many to hold besides, of what a commit leaves. What is held until now
   * goes back with that commit, and is given to nobody from here on. Where
   * another isolate writes the row as well, what nobody wants is lost: there it
   * holds none, but for as long as they are used up in time.
   */
  renewLease(lease: LeasePolicy, milliTokens: number, nowMs: number): number {
    const isShared = this.#wasOthers || this.#readsAhead > 0;
    const isBusy = nowMs < this.#heldUntilMs;
    const wanted = isBusy ? 2 * this.#lastLease + 1 : 0;
    this.#held = 0;
    return leaseOf(lease, milliTokens, isShared ? wanted : lease.most);
  }

  /** Adopts what the store answered to a read. */
  adopt(row: BucketRow, nowMs: number): void {
    if (row.versionstamp === this.versionstamp) {
      if (this.#readsAhead > 0) this.#readsAhead--;
      if (this.#held > 0) return; // memory knows what the row does not
    } else if (row.versionstamp !== null) {
      if (this.versionstamp === null) this.#wasOthers = true;
      else this.#readsAhead = SHARED_READS;
    }
    this.#held = 0;
    const level = storedLevel(row, this.policy, nowMs);
    this.#set(level, row.versionstamp);
  }

  /** Adopts what the store now holds, and what is held of it here. */
  remember(
    level: BucketLevel,
    versionstamp: string | null,
    leased = 0,
  ): void {
    this.#set(level, versionstamp);
    this.#wasOthers = false;
    this.#held = leased;
    this.#lastLease = leased;
    this.#heldUntilMs = leaseEndMs(level, this.policy, level.atMs);
  }

  /** Drops the level: a race was lost, so that the row is another's. */
  doubt(): void {
    this.known = false;
    this.#held = 0;
  }

  /** Drops level and versionstamp, for they may not be what is stored. */
  forget(): void {
    this.doubt();
    this.versionstamp = null;
  }

  #set({ milliTokens, atMs }: BucketLevel, versionstamp: string | null): void {
    this.milliTokens = milliTokens;
    this.atMs = atMs;
    this.versionstamp = versionstamp;
    this.known = true;
    this.isNew = false;
    this.#staleAtMs = fullAtMs(this, this.policy) + EXPIRY_MARGIN_MS;
  }

  #isPlausible(nowMs: number): boolean {
    return this.atMs - nowMs <= EXPIRY_MARGIN_MS;
  }
}
