import type { Clock, StartTimer } from "../ports.ts";
import { AccountTurns } from "./account_turns.ts";
import { BucketMemory } from "./bucket_memory.ts";
import { BucketPump } from "./bucket_pump.ts";
import type { BucketRows } from "./bucket_rows.ts";
import { JointLimiter } from "./joint_limiter.ts";
import { LEASE, type LeasePolicy } from "./lease.ts";
import type { RateLimiter, Verdict } from "./limiter.ts";
import {
  MAX_BUCKETS,
  MAX_WAIT_MS,
  MAX_WAITERS,
  type TurnKind,
  turnLimits,
} from "./limits.ts";
import { LocalBuckets } from "./local_buckets.ts";
import type { BucketKind } from "./policy.ts";
import { BUCKET_POLICIES, type BucketPolicies } from "./policy.ts";
import { uncounted } from "./uncounted.ts";

/** What a limiter is made of. */
export interface RateLimiterOptions {
  rows: BucketRows;
  clock: Clock;
  startTimer: StartTimer;
  /**
   * A keyed one-way function, so that no row names an address. A new secret
   * means new rows: every bucket starts full again.
   */
  hashId: (text: string) => string;
  policies?: BucketPolicies;
  /** Per kind. */
  maxBuckets?: number;
  maxWaiters?: number;
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
  const { maxWaiters = MAX_WAITERS, maxWaitMs = MAX_WAIT_MS } = options;
  const pump = new BucketPump({
    rows,
    clock,
    maxWaitMs,
    maxBatch: rows.maxBatch,
    maxWaiters,
    lease,
    isDown: options.isDown,
  });
  const local = new LocalBuckets(maxBuckets);
  const here = new LocalBuckets(maxBuckets);
  const joint = new JointLimiter(options);
  const turns = turnsOf(options);
  const memory = memories(maxBuckets, hashId);
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
      const policy = policies.public;
      const locally = () => local.takeAll([{ id, policy }], clock.now());
      return pump.join(bucket, { ...asked, locally });
    },
    isEmpty: (kind, id) => memory[kind].find(id)?.isEmpty(clock.now()) ?? false,
    isKnown: (kind, id) => memory[kind].find(id) !== null,
    takeAll(charges, asker): Promise<Verdict> {
      if (closed) return Promise.reject(stopped());
      return joint.takeAll(charges, asker);
    },
    takeHere: (charges) => here.takeAll(charges, clock.now()),
    inTurn: (kind, accountId, work, admitted) =>
      turns[kind].run(accountId, work, admitted),
    isFree: (kind, whose) => turns[kind].isFree(whose),
    async close(): Promise<void> {
      closed = true;
      await Promise.all([pump.idle(), joint.idle()]);
    },
  };
}

function stopped(): Error {
  return uncounted("the service is stopping");
}

function turnsOf(
  { rows, startTimer }: Pick<RateLimiterOptions, "rows" | "startTimer">,
): Record<TurnKind, AccountTurns> {
  const limits = turnLimits(rows);
  const turnsAt = (kind: TurnKind) =>
    new AccountTurns(startTimer, limits[kind]);
  return {
    list: turnsAt("list"),
    reading: turnsAt("reading"),
    page: turnsAt("page"),
    bid: turnsAt("bid"),
    change: turnsAt("change"),
    "bid retry": turnsAt("bid retry"),
    "change retry": turnsAt("change retry"),
    exchange: turnsAt("exchange"),
    "look-up": turnsAt("look-up"),
    use: turnsAt("use"),
  };
}

/** What is remembered of the buckets of each kind. */
function memories(
  maxBuckets: number,
  hashId: (text: string) => string,
): Record<BucketKind, BucketMemory> {
  const memoryOf = (kind: BucketKind) =>
    new BucketMemory(maxBuckets, (id) => hashId(`${kind}:${id}`));
  return {
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
    newcomer_kept: memoryOf("newcomer_kept"),
    card_kept: memoryOf("card_kept"),
    new_browser_mails: memoryOf("new_browser_mails"),
    repeated_new_browser_mails: memoryOf("repeated_new_browser_mails"),
    all_payments: memoryOf("all_payments"),
    repeated_payments: memoryOf("repeated_payments"),
  };
}
