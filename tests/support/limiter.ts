import { createRateLimiter } from "../../domain/rate_limit/create_rate_limiter.ts";
import type { RateLimiter } from "../../domain/rate_limit/limiter.ts";
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
    hashId: (text) => text,
  });
}
