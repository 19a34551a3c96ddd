import {
  type BucketLevel,
  fullAtMs,
  milliTokensAt,
  secondsToToken,
  TOKEN,
  wholeTokens,
} from "./bucket_level.ts";
import type { BucketRow } from "./bucket_rows.ts";
import {
  isRenewalDue,
  leaseEndMs,
  leaseOf,
  type LeasePolicy,
} from "./lease.ts";
import type { Verdict } from "./limiter.ts";
import { Line } from "./line.ts";
import { networksOf, widestOf } from "./network.ts";
import type { BucketPolicy } from "./policy.ts";
import { EXPIRY_MARGIN_MS, storedLevel } from "./stored_level.ts";

/** After a lost race, so many commits in a row read the bucket first. */
const SHARED_READS = 8;

/** One request that waits for a token of each of its buckets. */
export interface Waiter {
  buckets: readonly Bucket[];
  /** Whether it asked for several, and is told which of them is empty. */
  isJoint: boolean;
  /** Whether it is no request and wants no token, but some to be held. */
  isRenewal?: boolean;
  sinceMs: number;
  /** What it is told while the store does not answer, where it need not wait. */
  locally?: (() => Verdict) | undefined;
  resolve(verdict: Verdict): void;
  reject(error: Error): void;
}

/** Where requests wait for their turn. */
export type WaitingLine = Line<Waiter>;

/** Where those of one asker wait who want several buckets at once. */
export class AskerLine extends Line<Waiter> {
  readonly asker: string;

  constructor(asker: string) {
    super();
    this.asker = asker;
  }
}

/**
 * What one isolate remembers of a bucket, and who waits for it alone. Memory
 * only saves reads: the versionstamp makes the store refuse a commit that
 * rests on anything but the latest row, and a remembered level that is older
 * than the row can only be too generous, so whoever is refused for an empty one
 * is refused rightly. All of it may be forgotten at any time.
 *
 * Level and moment are those of the row. Tokens that are held (`lease.ts`) are
 * held besides; what nobody wanted goes back with the next commit, which the
 * row's version allows only if no other isolate has written meanwhile. They are
 * never more than the row lacks to be full, so that what is held and what is
 * stored never make a burst larger than the capacity.
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
  /** Thousandths of tokens that are held and were not given yet. */
  #held = 0;
  #heldUntilMs = 0;
  /** How many tokens the last commit took to be held. */
  #lastLease = 0;
  /** Thousandths of those given while a commit is under way. */
  #givenMeanwhile = 0;
  #asker: string | undefined;

  constructor(id: string, key: string, policy: BucketPolicy) {
    super();
    this.id = id;
    this.key = key;
    this.policy = policy;
  }

  /** The widest network of the address that it is of, or whoever else. */
  get asker(): string {
    return this.#asker ??= widestOf(networksOf(this.id));
  }

  /** Thousandths of a token in it and held of it, as far as is known here. */
  milliTokensAt(nowMs: number): number {
    const full = this.policy.capacity * TOKEN;
    return Math.min(full, milliTokensAt(this, this.policy, nowMs) + this.#held);
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
    return { admitted: false, retryAfterS: this.secondsToToken(nowMs) };
  }

  /** Whole seconds until it holds a token, with so much in it now. */
  secondsToToken(
    nowMs: number,
    milliTokens: number = this.milliTokensAt(nowMs),
  ): number {
    const level = { milliTokens, atMs: Math.max(nowMs, this.atMs) };
    return secondsToToken(level, this.policy, nowMs);
  }

  /** Gives a token that is held; null when there is none. */
  give(nowMs: number): Verdict | null {
    // Before the level's moment: the clock ran backwards.
    if (nowMs < this.atMs || nowMs >= this.#heldUntilMs) return null;
    const milliTokens = this.milliTokensAt(nowMs);
    const held = milliTokens - milliTokensAt(this, this.policy, nowMs);
    if (held < TOKEN) return null;
    this.#held = held - TOKEN;
    this.#givenMeanwhile += TOKEN;
    return { admitted: true, remaining: wholeTokens(milliTokens - TOKEN) };
  }

  /** Whether the next tokens to be held should be taken, before they are asked for. */
  isLow(lease: LeasePolicy, nowMs: number): boolean {
    const held = wholeTokens(this.#held);
    const [fromMs, untilMs] = [this.atMs, this.#heldUntilMs];
    const when = { fromMs, untilMs, nowMs };
    if (this.queued || this.#readsAhead > 0) return false;
    if (!isRenewalDue(held, this.#lastLease, when)) return false;
    return leaseOf(lease, this.milliTokensAt(nowMs), lease.most) > held;
  }

  /**
   * How many to hold besides, of what a commit leaves. Where another isolate
   * writes the row as well, it holds none, but for as long as they are used up
   * in time: one after which more were asked for is followed by one of twice
   * the size. What is held until now goes on being given while the commit is
   * under way, unless some of it goes back.
   */
  renewLease(lease: LeasePolicy, milliTokens: number, nowMs: number): number {
    const isBusy = nowMs < this.#heldUntilMs;
    const alone = this.#isShared() ? 0 : lease.first;
    const wanted = isBusy ? 2 * this.#lastLease + 1 : alone;
    const leased = leaseOf(lease, milliTokens, wanted);
    const row = milliTokensAt(this, this.policy, nowMs);
    if (milliTokens - leased * TOKEN > row) this.#heldUntilMs = 0;
    this.#givenMeanwhile = 0;
    return leased;
  }

  /** Adopts what the store answered to a read. */
  adopt(row: BucketRow, nowMs: number): void {
    if (row.versionstamp === this.versionstamp) {
      if (this.#readsAhead > 0) this.#readsAhead--;
    } else {
      this.#held = 0;
      if (row.versionstamp !== null) {
        if (this.versionstamp === null) this.#wasOthers = true;
        else this.#readsAhead = SHARED_READS;
      }
    }
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
    this.#heldUntilMs = leaseEndMs(level, this.policy, this.#isShared());
    this.#wasOthers = false;
    this.#held = Math.max(0, leased * TOKEN - this.#givenMeanwhile);
    this.#lastLease = leased;
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

  #isShared(): boolean {
    return this.#wasOthers || this.#readsAhead > 0;
  }

  #isPlausible(nowMs: number): boolean {
    return this.atMs - nowMs <= EXPIRY_MARGIN_MS;
  }
}
