import type { Bucket, Waiter, WaitingLine } from "./bucket.ts";
import { TOKEN, wholeTokens } from "./bucket_level.ts";
import type { BucketWrite } from "./bucket_rows.ts";
import type { LeasePolicy } from "./lease.ts";
import type { Verdict } from "./limiter.ts";
import { bucketWrite } from "./stored_level.ts";

/** One bucket's part of a commit. */
export interface Draw extends BucketWrite {
  bucket: Bucket;
  /** Tokens that are taken to be held. */
  leased: number;
}

/** Whose tokens are taken in one commit. */
export class Batch {
  readonly #maxBuckets: number;
  /** All that somebody in it wants a token of. */
  readonly buckets = new Set<Bucket>();
  readonly lines = new Map<WaitingLine, Waiter[]>();
  #verdicts: [Waiter, Verdict][] = [];

  constructor(maxBuckets: number) {
    this.#maxBuckets = maxBuckets;
  }

  /**
   * Takes the first of the line, and those behind it who want nothing more.
   * False when the commit has no room for it; one always fits.
   *
   * @param isAnswered whether somebody need not wait any longer
   */
  admit(line: WaitingLine, isAnswered: (waiter: Waiter) => boolean): boolean {
    const taken: Waiter[] = [];
    let hasRoom = true;
    let passed = 0;
    for (const waiter of line.waiters) {
      if (!isAnswered(waiter)) {
        const more = waiter.buckets.filter((each) => !this.buckets.has(each));
        const buckets = this.buckets.size + more.length;
        hasRoom = buckets <= this.#maxBuckets || this.buckets.size === 0;
        if (!hasRoom || more.length > 0 && taken.length > 0) break;
        for (const bucket of more) this.buckets.add(bucket);
        taken.push(waiter);
      }
      passed++;
    }
    line.leave(passed);
    if (taken.length === 0) return hasRoom;
    const before = this.lines.get(line);
    this.lines.set(line, before === undefined ? taken : before.concat(taken));
    return true;
  }

  /** Works out everybody's verdict, and what each bucket is to be left with. */
  draw(nowMs: number, lease: LeasePolicy): Draw[] {
    const left = new Map<Bucket, number>();
    this.#verdicts = [];
    for (const waiters of this.lines.values()) {
      for (const waiter of waiters) {
        this.#verdicts.push([waiter, drawOne(waiter, left, nowMs)]);
      }
    }
    return Array.from(left, ([bucket, milliTokens]) => {
      const leased = bucket.renewLease(lease, milliTokens, nowMs);
      const stored = milliTokens - leased * TOKEN;
      return { ...bucketWrite(bucket, stored, nowMs), bucket, leased };
    });
  }

  /** Tells everybody the verdict, now that it is certain, or the failure. */
  answer(failure: Error | null): void {
    if (failure === null) {
      for (const [{ resolve }, verdict] of this.#verdicts) resolve(verdict);
      return;
    }
    for (const waiters of this.lines.values()) {
      for (const { locally, resolve, reject } of waiters) {
        if (locally === undefined) reject(failure);
        else resolve(locally());
      }
    }
  }
}

/**
 * Takes a token of each bucket out of what is left, or of none; no request,
 * no token.
 */
function drawOne(
  { buckets, isJoint, isRenewal }: Waiter,
  left: Map<Bucket, number>,
  nowMs: number,
): Verdict {
  let remaining = Infinity;
  let emptied: string | undefined;
  let retryAfterS = 0;
  for (const bucket of buckets) {
    const milliTokens = left.get(bucket) ?? bucket.milliTokensAt(nowMs);
    remaining = Math.min(remaining, wholeTokens(milliTokens) - 1);
    if (milliTokens >= TOKEN) continue;
    emptied ??= bucket.id;
    const waitS = bucket.secondsToToken(nowMs, milliTokens);
    retryAfterS = Math.max(retryAfterS, waitS);
  }
  if (emptied !== undefined) {
    return { admitted: false, retryAfterS, ...isJoint && { emptied } };
  }
  const taken = isRenewal ? 0 : TOKEN;
  for (const bucket of buckets) {
    const before = left.get(bucket) ?? bucket.milliTokensAt(nowMs);
    left.set(bucket, before - taken);
  }
  return { admitted: true, remaining };
}
