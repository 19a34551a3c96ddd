/**
 * How much of the limiter's own work may wait and be remembered, in a process.
 * The operators' page says all of it.
 *
 * @module
 */
import { TRACKED_READS_MAX } from "../tables.ts";
import type { TurnLimits } from "./account_turns.ts";
import type { BucketRows } from "./bucket_rows.ts";

/** Buckets of each kind that are remembered: about 15 MB when all are used. */
export const MAX_BUCKETS = 50_000;
/** Requests that may wait for the store at once; more are answered 503. */
export const MAX_WAITERS = 20_000;
/**
 * Buckets of one network for which requests wait: each is a row, and a /48 has one
 * for each of its 65,536 links.
 */
export const MAX_LINES_OF_ONE = 512;
/** The same of requests that draw on several buckets at once. */
export const MAX_JOINT_WAITERS = 16_000;
/** Of them for one asker: more than a /48 may have in the largest burst, 480. */
export const MAX_JOINT_WAITERS_OF_ONE = 512;
/** Buckets that one request draws on: as many checks as any store takes. */
export const JOINT_BUCKETS_MAX = TRACKED_READS_MAX;
/** Longest a request waits before its commit begins; then it is answered 503. */
export const MAX_WAIT_MS = 5_000;

/** What takes turns, each kind apart from the others. */
export type TurnKind =
  /** Lists that agents read. */
  | "list"
  /** What else they read: a few rows each. */
  | "reading"
  /** Pages of people, but what waits for others than the store. */
  | "page"
  /** What they bid: the first reads of each. */
  | "bid"
  /** The same of what else they change. */
  | "change"
  /**
   * A transaction run again: those that race for the same rows would lose again.
   * Bids wait for no other change, which an agent may make that must not bid.
   */
  | "bid retry"
  | "change retry"
  /** Exchanges and revocations of tokens, grant by grant. */
  | "exchange"
  /** Reads of what a token or code names that may be made up, network by network. */
  | "look-up"
  /** Notes that a row is in use, row by row: written because somebody reads. */
  | "use";

/**
 * Nobody waits for other accounts, and of one as many wait as it makes at once. A
 * few read while others are under way to the store.
 */
const FIRST_TRY: TurnLimits = {
  running: Infinity,
  runningOfOne: 8,
  waiting: 8_000,
  waitingOfOne: 2_400,
  maxWaitMs: 2_000,
};

/** Two at a time would lose races with each other. */
const RETRY: TurnLimits = { ...FIRST_TRY, runningOfOne: 1 };

/** Who finds no place goes on without: what is due is noted with the next use. */
const USE: TurnLimits = {
  running: 4,
  runningOfOne: 1,
  waiting: 0,
  waitingOfOne: 0,
  maxWaitMs: 0,
};

/** How much of each kind runs and waits in a process. */
export function turnLimits(
  { maxUnderWay }: Pick<BucketRows, "maxUnderWay">,
): Readonly<Record<TurnKind, TurnLimits>> {
  return {
    // An account has as many waiting as it may have agents. A store that does one
    // thing at a time does two lists and what else is asked between their reads;
    // one far away does many, each of which takes longer.
    list: {
      running: 2 * maxUnderWay,
      runningOfOne: Math.ceil(maxUnderWay / 8),
      waiting: 1_000,
      waitingOfOne: 100,
      maxWaitMs: 2_000,
    },
    // An account has a hundred agents, and each of them may ask for more than a
    // hundred things at once.
    reading: {
      running: 64,
      runningOfOne: 8,
      waiting: 4_800,
      waitingOfOne: 200,
      maxWaitMs: 2_000,
    },
    // They read of the store for a few milliseconds each: of one account as many
    // wait as browsers ask for.
    page: {
      running: 64,
      runningOfOne: 4,
      waiting: 4_800,
      waitingOfOne: 32,
      maxWaitMs: 2_000,
    },
    bid: FIRST_TRY,
    change: FIRST_TRY,
    "bid retry": RETRY,
    "change retry": RETRY,
    exchange: RETRY,
    // One row each, ten of which a store reads in one call. Far away as many of one
    // network are under way as it can well send meanwhile, so that a good token among
    // those that are made up does not wait long.
    "look-up": {
      running: Math.max(64, 16 * maxUnderWay),
      runningOfOne: Math.max(16, 4 * maxUnderWay),
      waiting: 16_000,
      waitingOfOne: 8_000,
      maxWaitMs: MAX_WAIT_MS,
    },
    use: USE,
  };
}
