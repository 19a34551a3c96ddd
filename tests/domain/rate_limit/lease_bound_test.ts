import { startTimer } from "../../../adapters/time/system_time.ts";
import { assert } from "@std/assert";
import fc from "fast-check";
import { createRateLimiter } from "../../../domain/rate_limit/create_rate_limiter.ts";
import type { RateLimiter } from "../../../domain/rate_limit/limiter.ts";
import { BUCKET_POLICIES } from "../../../domain/rate_limit/policy.ts";
import { ManualClock, TEST_START_MS } from "../../support/clock.ts";
import {
  advances,
  EXPIRE,
  fates,
  play,
  scriptOf,
  steps,
  takes,
} from "./scripts.ts";
import { SteppedRows } from "./stepped_rows.ts";

// Few, so that scripts often meet a bucket's bounds.
const CAPACITY = 12;
const REFILL_PER_S = 10;
const ADDRESSES = ["a", "b"];
const PROCESSES = 4;

interface Sizes {
  processes: number;
  maxBatch: number;
  maxUnderWay: number;
  maxBuckets: number;
}

/** Several processes that hold as much as they can, over one store. */
class Fleet {
  readonly clock = new ManualClock();
  readonly rows = new SteppedRows(this.clock);
  readonly admittedAtMs = new Map<string, number[]>();
  readonly limiters: RateLimiter[];

  constructor({ processes, maxBatch, maxUnderWay, maxBuckets }: Sizes) {
    this.limiters = Array.from({ length: processes }, () =>
      createRateLimiter({
        rows: this.rows.isolate(maxBatch, maxUnderWay),
        clock: this.clock,
        startTimer,
        hashId: (text) => text,
        policies: {
          ...BUCKET_POLICIES,
          public: { capacity: CAPACITY, refillPerS: REFILL_PER_S },
        },
        maxBuckets,
        maxWaitMs: Infinity,
        lease: { first: 5, most: 9, share: 1 },
      }));
  }

  async take(process: number, client: number): Promise<void> {
    const id = ADDRESSES[client] ?? "a";
    try {
      const limiter = this.limiters[process % this.limiters.length];
      const verdict = await limiter?.take("public", id);
      if (!verdict?.admitted) return;
      assert(verdict.remaining >= 0 && verdict.remaining < CAPACITY);
      const times = this.admittedAtMs.get(id) ?? [];
      this.admittedAtMs.set(id, [...times, this.clock.now()]);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "StoreUnavailable") {
        throw error;
      }
    }
  }

  /** Over all the time since the beginning. */
  checkBound(): void {
    for (const times of this.admittedAtMs.values()) {
      times.forEach((atMs, at) => {
        const bound = boundOf(Math.max(0, atMs - TEST_START_MS));
        assert(at + 1 <= bound, `${at + 1} admitted, the bound is ${bound}`);
      });
    }
  }

  /** Over every stretch of time that begins and ends with a request. */
  checkWindows(): void {
    for (const times of this.admittedAtMs.values()) {
      times.forEach((fromMs, from) => {
        times.slice(from).forEach((untilMs, count) => {
          const bound = boundOf(untilMs - fromMs);
          assert(
            count + 1 <= bound,
            `${count + 1} in ${untilMs - fromMs} ms, the bound is ${bound}`,
          );
        });
      });
    }
  }
}

function boundOf(elapsedMs: number): number {
  return CAPACITY + Math.floor(elapsedMs * REFILL_PER_S / 1_000);
}

const sizes = fc.record({
  processes: fc.integer({ min: 1, max: PROCESSES }),
  maxBatch: fc.integer({ min: 1, max: 4 }),
  maxUnderWay: fc.integer({ min: 1, max: 3 }),
  maxBuckets: fc.integer({ min: 1, max: 4 }),
});

const SCRIPTED = {
  takes: takes(PROCESSES, ADDRESSES.length, 12),
  advances: advances(
    fc.oneof(fc.nat(1_200), fc.constantFrom(0, 499, 500, 15_000, 80_000)),
  ),
};

Deno.test("several processes that hold tokens never admit more than the bound, however calls interleave and fail", async () => {
  const script = scriptOf(
    { minLength: 5, maxLength: 80 },
    [4, SCRIPTED.takes],
    [7, steps(fates("lost_answer"), 9)],
    [2, SCRIPTED.advances],
    [1, EXPIRE],
  );
  await fc.assert(
    fc.asyncProperty(script, sizes, async (actions, size) => {
      const fleet = new Fleet(size);
      await play(fleet, actions);
      fleet.checkBound();
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("several processes that hold tokens admit no more than the bound where nothing fails and nothing is lost", async () => {
  const script = scriptOf(
    { minLength: 20, maxLength: 100 },
    [6, SCRIPTED.takes],
    [6, steps(fc.constant("apply"), 9)],
    [1, SCRIPTED.advances],
  );
  await fc.assert(
    fc.asyncProperty(script, sizes, async (actions, size) => {
      const fleet = new Fleet({ ...size, maxBuckets: 4 });
      await play(fleet, actions);
      fleet.checkBound();
    }),
    { numRuns: 500 },
  );
});

Deno.test("what several processes hold makes no burst larger than a full bucket, at any time", async () => {
  const script = scriptOf(
    { minLength: 5, maxLength: 60 },
    [4, SCRIPTED.takes],
    [3, SCRIPTED.advances],
    [1, EXPIRE],
  );
  await fc.assert(
    fc.asyncProperty(script, sizes, async (actions, size) => {
      const fleet = new Fleet(size);
      await play(fleet, actions, true);
      fleet.checkWindows();
    }),
    { numRuns: 500 },
  );
});
