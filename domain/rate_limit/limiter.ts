import type { Charge } from "./charge.ts";
import type { TurnKind } from "./limits.ts";
import type { BucketKind } from "./policy.ts";

/** The answer to one request. */
export type Verdict =
  | {
    admitted: true;
    /** Whole tokens left, in the bucket that has fewest. */
    remaining: number;
  }
  | {
    admitted: false;
    /** Until each bucket holds a token. */
    retryAfterS: number;
    /** The id of the first that is empty, where several were asked. */
    emptied?: string;
  };

/**
 * Token buckets, exact over all isolates: a bucket never grants more than
 * `capacity + refill × elapsed` over all of them together.
 */
export interface RateLimiter {
  /**
   * Takes one token. Answers without waiting when the bucket is known to be
   * empty.
   *
   * @throws {StoreUnavailable} when the store does not answer
   */
  take(kind: BucketKind, id: string): Promise<Verdict> | Verdict;
  /** Whether the bucket is known to be empty: taking a token would be in vain. */
  isEmpty(kind: BucketKind, id: string): boolean;
  /** Whether the bucket was asked in this process, lately enough to be remembered. */
  isKnown(kind: BucketKind, id: string): boolean;
  /**
   * Takes one token of each bucket, all in one commit. If one of them is empty
   * nothing is taken from the others, and the store is not asked again until
   * its next token is due.
   *
   * @param asker takes turns with others, such as the widest network
   * @throws {TooManyWaiting} when so much of the asker's is not counted yet
   * @throws {StoreUnavailable} when the store does not answer
   */
  takeAll(charges: readonly Charge[], asker: string): Promise<Verdict>;
  /**
   * Takes one token of each bucket, or of none, of this process alone: for what
   * takes nothing but its time, and is answered while the store is silent.
   */
  takeHere(charges: readonly Charge[]): Verdict;
  /**
   * Runs what asks the store for much when it is the turn of whom it is for, of
   * those that do the same.
   *
   * @param whose an account; of the kind `exchange` a grant, of `look-up` a network,
   * of `use` a row
   * @param admitted settled once whoever asks is let through, if that is not known
   * yet: only then it waits, and what keeps it from that is thrown instead
   * @throws {TooManyWaiting} when its turn does not come in time
   */
  inTurn<T>(
    kind: TurnKind,
    whose: string,
    work: () => Promise<T>,
    admitted?: Promise<unknown>,
  ): Promise<T>;
  /** Whether whoever asks for such a turn now would not wait. */
  isFree(kind: TurnKind, whose: string): boolean;
  /** Waits for the commits under way; for a graceful stop. */
  close(): Promise<void>;
}
