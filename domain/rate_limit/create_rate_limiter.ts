import { invariant } from "../invariant.ts";
import type { Clock } from "../ports.ts";
import type { Waiter, WaitingLine } from "./bucket.ts";
import { TRACKED_READS_MAX } from "../tables.ts";
import { AccountTurns, type TurnLimits } from "./account_turns.ts";
import { BucketMemory } from "./bucket_memory.ts";
import { BucketPump, fromMemory } from "./bucket_pump.ts";
import type { BucketRows } from "./bucket_rows.ts";
import type { Charge } from "./charge.ts";
import { LEASE, type LeasePolicy } from "./lease.ts";
import { LocalBuckets } from "./local_buckets.ts";
import type { RateLimiter, Verdict } from "./limiter.ts";
import { Line } from "./line.ts";
import type { BucketKind } from "./policy.ts";
import { BUCKET_POLICIES, type BucketPolicies } from "./policy.ts";
import { TooManyWaiting, uncounted } from "./uncounted.ts";

/** Buckets that one request draws on: as many checks as any store takes. */
export const JOINT_BUCKETS_MAX = TRACKED_READS_MAX;
/** Of those that are drawn on together nothing is taken ahead: some are slow. */
const NO_LEASE: LeasePolicy = { first: 0, most: 0, share: 1 };
/** Buckets of each kind an isolate remembers: about 15 MB when all are used. */
const MAX_BUCKETS = 50_000;
/** Requests that may wait for the store at once; more are answered 503. */
const MAX_WAITERS = 20_000;
/** The same of requests that draw on several buckets at once. */
const MAX_JOINT_WAITERS = 16_000;
/** Of them for one asker: more than a /48 may have in the largest burst, 480. */
export const MAX_JOINT_WAITERS_OF_ONE = 512;
/** Longest a request waits before its commit begins; then it is answered 503. */
const MAX_WAIT_MS = 5_000;
/** Lists that wait for their accounts' turns. */
const MAX_WAITING_LISTS = 1_000;
/** Of them of one account: as many as it may have agents. */
const MAX_WAITING_LISTS_OF_ONE = 100;
/** Longest a list or a retry waits; then it is answered 503. */
const MAX_TURN_WAIT_MS = 2_000;
/** Changes that lost a race: of one account as many wait as it makes at once. */
const RETRY_TURNS: TurnLimits = {
  running: Infinity,
  runningOfOne: 1,
  waiting: 8_000,
  waitingOfOne: 2_400,
  maxWaitMs: MAX_TURN_WAIT_MS,
};

/** What a limiter is made of. */
export interface RateLimiterOptions {
  rows: BucketRows;
  clock: Clock;
  /**
   * A keyed one-way function, so that no row names an address. A new secret
   * means new rows: every bucket starts full again.
   */
  hashId: (text: string) => string;
  policies?: BucketPolicies;
  /** Per kind. */
  maxBuckets?: number;
  maxWaiters?: number;
  /** Of requests that draw on several buckets, those of one asker. */
  maxWaitersOfOne?: number;
  maxWaitMs?: number;
  /** What is taken ahead of the buckets that requests draw on alone. */
  lease?: LeasePolicy;
  /**
   * Whether the store is known to take no writes. Given, public requests draw
   * on buckets of this process meanwhile, and where a commit fails.
   */
  isDown?: () => boolean;
}

/**
 * Makes the limiter of one isolate. A bucket known to be empty answers at once
 * from memory, which is never too generous: only time adds tokens. So does one
 * of which tokens are held. All else joins a group commit, of those that draw on
 * one bucket or of those that draw on several, whose askers take turns.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { clock, hashId, policies = BUCKET_POLICIES } = options;
  const { rows, maxBuckets = MAX_BUCKETS, lease = LEASE } = options;
  const maxWaitMs = options.maxWaitMs ?? MAX_WAIT_MS;
  const pump = new BucketPump({
    rows,
    clock,
    maxWaitMs,
    maxBatch: rows.maxBatch,
    maxWaiters: options.maxWaiters ?? MAX_WAITERS,
    lease,
    isDown: options.isDown,
  });
  const local = new LocalBuckets(policies.public, maxBuckets);
  const joint = jointLimiter(options);
  const turns = new AccountTurns(clock, turnLimits(rows));
  const retries = new AccountTurns(clock, RETRY_TURNS);
  const memoryOf = (kind: BucketKind) =>
    new BucketMemory(maxBuckets, (id) => hashId(`${kind}:${id}`));
  const memory: Record<BucketKind, BucketMemory> = {
    public: memoryOf("public"),
    grant: memoryOf("grant"),
    address: memoryOf("address"),
    page: memoryOf("page"),
    own_list: memoryOf("own_list"),
    own_bid: memoryOf("own_bid"),
    exchange: memoryOf("exchange"),
    click: memoryOf("click"),
    bid: memoryOf("bid"),
    change: memoryOf("change"),
    list: memoryOf("list"),
    checkout: memoryOf("checkout"),
    kept_change: memoryOf("kept_change"),
    share: memoryOf("share"),
    newcomer_checkout: memoryOf("newcomer_checkout"),
    new_browser_mails: memoryOf("new_browser_mails"),
    all_payments: memoryOf("all_payments"),
  };
  let closed = false;

  return {
    take(kind: BucketKind, id: string): Promise<Verdict> | Verdict {
      const nowMs = clock.now();
      const bucket = memory[kind].of(id, policies[kind], nowMs);
      const given = bucket.give(nowMs);
      if (given !== null) {
        if (bucket.isLow(lease, nowMs) && !closed) pump.renew(bucket);
        return given;
      }
      if (bucket.isEmpty(nowMs)) return bucket.denial(nowMs);
      if (closed) return Promise.reject(stopped());
      const asked = { buckets: [bucket], isJoint: false };
      if (kind !== "public" || options.isDown === undefined) {
        return pump.join(bucket, asked);
      }
      const locally = () => local.take(id, clock.now());
      return pump.join(bucket, { ...asked, locally });
    },
    takeAll(charges, asker): Promise<Verdict> {
      if (closed) return Promise.reject(stopped());
      return joint.takeAll(charges, asker);
    },
    inTurn: (accountId, work) => turns.run(accountId, work),
    retryInTurn: (accountId, work) => retries.run(accountId, work),
    async close(): Promise<void> {
      closed = true;
      await Promise.all([pump.idle(), joint.idle()]);
    },
  };
}

/**
 * A store that does one thing at a time does two lists and what else is asked
 * between their reads; one far away does many, each of which takes longer.
 */
function turnLimits({ maxUnderWay }: BucketRows): TurnLimits {
  return {
    running: 2 * maxUnderWay,
    runningOfOne: Math.ceil(maxUnderWay / 8),
    waiting: MAX_WAITING_LISTS,
    waitingOfOne: MAX_WAITING_LISTS_OF_ONE,
    maxWaitMs: MAX_TURN_WAIT_MS,
  };
}

/** The part of the limiter for requests that draw on several buckets. */
function jointLimiter(options: RateLimiterOptions) {
  const { rows, clock, maxWaitersOfOne = MAX_JOINT_WAITERS_OF_ONE } = options;
  const pump = new BucketPump({
    rows,
    clock,
    maxWaitMs: options.maxWaitMs ?? MAX_WAIT_MS,
    maxBatch: Math.min(rows.maxBatch, JOINT_BUCKETS_MAX),
    maxWaiters: options.maxWaiters ?? MAX_JOINT_WAITERS,
    lease: NO_LEASE,
  });
  const maxBuckets = options.maxBuckets ?? MAX_BUCKETS;
  const memory = new BucketMemory(maxBuckets, options.hashId);
  /** By asker, those in which somebody waits. */
  const lines = new Map<string, WaitingLine>();

  return {
    async takeAll(
      charges: readonly Charge[],
      asker: string,
    ): Promise<Verdict> {
      const ids = new Set(charges.map(({ id }) => id));
      invariant(ids.size === charges.length, "a bucket is charged once");
      invariant(ids.size > 0, "a bucket is charged");
      invariant(ids.size <= JOINT_BUCKETS_MAX, "a commit takes 9 buckets");
      const nowMs = clock.now();
      // Whoever is refused is given no place in the memory.
      const known = charges.flatMap(({ id }) => memory.find(id) ?? []);
      const denial = fromMemory({ buckets: known, isJoint: true }, nowMs);
      if (denial !== null) return denial;
      const line = lines.get(asker) ?? new Line<Waiter>();
      if (line.waiters.length >= maxWaitersOfOne) throw new TooManyWaiting();
      lines.set(asker, line);
      const buckets = charges.map(({ id, policy }) =>
        memory.of(id, policy, nowMs)
      );
      try {
        return await pump.join(line, { buckets, isJoint: true });
      } finally {
        if (line.waiters.length === 0 && !line.queued) lines.delete(asker);
      }
    },
    idle: () => pump.idle(),
  };
}

function stopped(): Error {
  return uncounted("the service is stopping");
}
