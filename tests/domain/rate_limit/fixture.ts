import { startTimer } from "../../../adapters/time/system_time.ts";
import {
  createRateLimiter,
  type RateLimiterOptions,
} from "../../../domain/rate_limit/create_rate_limiter.ts";
import type { RateLimiter } from "../../../domain/rate_limit/limiter.ts";
import type { Patience } from "../../../kv/guard.ts";
import { openKv } from "../../../kv/open.ts";
import { EMBEDDED_LANES, rateBuckets } from "../../../kv/rate_buckets.ts";
import { ManualClock } from "../../support/clock.ts";
import type { FaultRule } from "../../support/faults.ts";
import { FaultyKv } from "../../support/faulty_kv.ts";
import { testPatience } from "../../support/store.ts";

/** One isolate's limiter and the store as it sees it. */
export interface Isolate {
  limiter: RateLimiter;
  kv: FaultyKv;
  /** A test that lets a call hang shortens `callMs` meanwhile. */
  patience: Patience;
}

/** A real store in memory with limiters on it. */
export interface LimiterFixture extends AsyncDisposable, Isolate {
  clock: ManualClock;
  another(
    options?: Partial<RateLimiterOptions>,
    faults?: readonly FaultRule[],
  ): Isolate;
}

/** Opens an empty store and the first isolate's limiter. */
export async function openLimiter(
  options: Partial<RateLimiterOptions> = {},
  faults: readonly FaultRule[] = [],
): Promise<LimiterFixture> {
  const real = await openKv(":memory:");
  const clock = new ManualClock();
  const another: LimiterFixture["another"] = (more = {}, rules = []) => {
    const kv = new FaultyKv(real, rules);
    const patience = testPatience();
    const rows = rateBuckets(kv, {
      lanes: EMBEDDED_LANES,
      patience,
      nowMs: () => clock.now(),
    });
    const hashId = (text: string) => `hash(${text.length})${text.at(-1)}`;
    const limiter = createRateLimiter({
      rows,
      clock,
      startTimer,
      hashId,
      ...more,
    });
    return { limiter, kv, patience };
  };
  const first = another(options, faults);
  return {
    ...first,
    clock,
    another,
    async [Symbol.asyncDispose]() {
      await first.limiter.close();
      real.close();
    },
  };
}

/** Asks so many times at once and sorts the answers. */
export async function takeMany(
  limiter: RateLimiter,
  times: number,
  id = "192.0.2.1",
): Promise<{ remaining: number[]; denied: number; failed: number }> {
  const asked = Array.from(
    { length: times },
    async () => await limiter.take("public", id),
  );
  const answers = { remaining: [] as number[], denied: 0, failed: 0 };
  for (const settled of await Promise.allSettled(asked)) {
    if (settled.status === "rejected") answers.failed++;
    else if (settled.value.admitted) {
      answers.remaining.push(settled.value.remaining);
    } else answers.denied++;
  }
  return answers;
}
