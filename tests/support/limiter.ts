import { startTimer } from "../../adapters/time/system_time.ts";
import { createRateLimiter } from "../../domain/rate_limit/create_rate_limiter.ts";
import {
  networkCharges,
  type NetworkPurpose,
} from "../../domain/rate_limit/charge.ts";
import type { RateLimiter } from "../../domain/rate_limit/limiter.ts";
import { type Network, widestOf } from "../../domain/rate_limit/network.ts";
import { rateBuckets, REMOTE_LANES } from "../../kv/rate_buckets.ts";
import { testPatience, type TestStore } from "./store.ts";

/** The buckets of a test, over its own store and clock. */
export function testLimiter(test: TestStore): RateLimiter {
  return createRateLimiter({
    rows: rateBuckets(test.kv, {
      lanes: REMOTE_LANES,
      patience: testPatience(),
      nowMs: () => test.clock.now(),
    }),
    clock: test.clock,
    startTimer,
    hashId: (text) => text,
  });
}

/** Takes what these networks have for a purpose, and says how much that was. */
export async function drain(
  { limiter }: { limiter: RateLimiter },
  purpose: NetworkPurpose,
  networks: readonly Network[],
): Promise<number> {
  const charges = networkCharges(purpose, networks);
  for (let taken = 0;; taken++) {
    const verdict = await limiter.takeAll(charges, widestOf(networks));
    if (!verdict.admitted) return taken;
  }
}
