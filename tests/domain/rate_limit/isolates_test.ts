import { startTimer } from "../../../adapters/time/system_time.ts";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createRateLimiter } from "../../../domain/rate_limit/create_rate_limiter.ts";
import type { RateLimiter } from "../../../domain/rate_limit/limiter.ts";
import { BUCKET_POLICIES } from "../../../domain/rate_limit/policy.ts";
import { ManualClock, TEST_START_MS } from "../../support/clock.ts";
import {
  type Action,
  advances,
  EXPIRE,
  fates,
  play,
  scriptOf,
  steps,
  takes,
} from "./scripts.ts";
import { type Fate, settle, SteppedRows } from "./stepped_rows.ts";

const CAPACITY = 3;
const REFILL_PER_S = 2;
const ADDRESSES = ["a", "b", "c"];

/** Several isolates on one store, and a count of what they admitted. */
class Fleet {
  readonly clock = new ManualClock();
  readonly rows = new SteppedRows(this.clock);
  readonly admitted = new Map(ADDRESSES.map((id) => [id, 0]));
  readonly limiters: RateLimiter[];
  asked = 0;
  denied = 0;
  failed = 0;

  constructor(isolates: number, maxBatch: number, maxBuckets: number) {
    this.limiters = Array.from({ length: isolates }, () =>
      createRateLimiter({
        rows: this.rows.isolate(maxBatch),
        clock: this.clock,
        startTimer,
        hashId: (text) => text,
        policies: {
          ...BUCKET_POLICIES,
          public: { capacity: CAPACITY, refillPerS: REFILL_PER_S },
        },
        maxBuckets,
        maxWaitMs: Infinity,
      }));
  }

  async take(isolate: number, client: number): Promise<void> {
    const id = ADDRESSES[client] ?? "a";
    this.asked++;
    try {
      const verdict = await this.limiters[isolate]?.take("public", id);
      if (!verdict?.admitted) this.denied++;
      else {
        this.admitted.set(id, (this.admitted.get(id) ?? 0) + 1);
        assert(verdict.remaining >= 0 && verdict.remaining < CAPACITY);
      }
      this.checkBound();
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "StoreUnavailable") {
        throw error;
      }
      this.failed++;
    }
  }

  checkBound(): void {
    const elapsedMs = Math.max(0, this.clock.now() - TEST_START_MS);
    const bound = CAPACITY + Math.floor(elapsedMs * REFILL_PER_S / 1_000);
    for (const [id, count] of this.admitted) {
      assert(count <= bound, `${id}: admitted ${count}, the bound is ${bound}`);
    }
  }
}

function actions(fate: fc.Arbitrary<Fate>): fc.Arbitrary<Action[]> {
  const ms = fc.oneof(fc.nat(900), fc.constantFrom(0, 500, 61_500, 200_000));
  return scriptOf(
    { minLength: 5, maxLength: 80 },
    [4, takes(2, ADDRESSES.length, 4)],
    [6, steps(fate)],
    [2, advances(ms)],
    [1, EXPIRE],
  );
}

const sizes = fc.record({
  maxBatch: fc.integer({ min: 1, max: 4 }),
  maxBuckets: fc.integer({ min: 1, max: 4 }),
});

Deno.test("two isolates never admit more than the bound, however calls interleave and fail", async () => {
  await fc.assert(
    fc.asyncProperty(actions(fates()), sizes, async (script, size) => {
      const fleet = new Fleet(2, size.maxBatch, size.maxBuckets);
      await play(fleet, script);
      const admitted = [...fleet.admitted.values()].reduce((a, b) => a + b, 0);
      assertEquals(admitted + fleet.denied + fleet.failed, fleet.asked);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("two isolates admit all that the bucket holds when nothing fails", async () => {
  const calm = actions(fc.constant<Fate>("apply"))
    .map((script) => script.filter(({ do: what }) => what !== "advance"));
  await fc.assert(
    fc.asyncProperty(calm, sizes, async (script, size) => {
      const fleet = new Fleet(2, size.maxBatch, size.maxBuckets);
      await play(fleet, script);
      assertEquals(fleet.failed, 0);
      ADDRESSES.forEach((id, client) => {
        const asked = script.reduce(
          (sum, action) =>
            action.do === "take" && action.client === client
              ? sum + action.times
              : sum,
          0,
        );
        assertEquals(fleet.admitted.get(id), Math.min(CAPACITY, asked));
      });
    }),
    { numRuns: 500 },
  );
});

Deno.test("an isolate whose clock ran backwards admits no more", async () => {
  const fleet = new Fleet(2, 10, 10);
  const takes = [0, 1, 2, 3].map(() => fleet.take(0, 0));
  await fleet.rows.drain();
  fleet.clock.advance(-30_000);
  takes.push(fleet.take(0, 0), fleet.take(1, 0));
  await fleet.rows.drain();
  await Promise.all(takes);
  assertEquals(fleet.admitted.get("a"), CAPACITY);
  assertEquals(fleet.denied, 3);
});

Deno.test("a clock that ran backwards and forwards again adds nothing", async () => {
  const fleet = new Fleet(1, 10, 10);
  const ask = async () => {
    const asked = fleet.take(0, 0);
    await fleet.rows.drain();
    await asked;
  };
  await ask();
  fleet.clock.advance(-30_000);
  await ask();
  fleet.clock.advance(30_000);
  for (let n = 0; n < 5; n++) await ask();
  assertEquals(fleet.admitted.get("a"), CAPACITY);
});

Deno.test("a level from a clock an hour ahead closes the bucket for no hour", async () => {
  const fleet = new Fleet(2, 10, 10);
  fleet.clock.advance(3_600_000);
  const early = [0, 1, 2, 3].map(() => fleet.take(0, 0));
  await fleet.rows.drain();
  await Promise.all(early);
  fleet.clock.advance(-3_600_000);
  for (const isolate of [0, 1]) {
    const now = fleet.take(isolate, 0);
    await fleet.rows.drain();
    await now;
    assertEquals(fleet.denied, isolate + 2); // still as empty as it was
  }
  fleet.clock.advance(1_000);
  const again = [fleet.take(0, 0), fleet.take(0, 0)];
  await fleet.rows.drain();
  await Promise.all(again);
  assertEquals(fleet.admitted.get("a"), CAPACITY + 2);
});

Deno.test("an isolate that lost a race asks again and still answers", async () => {
  const fleet = new Fleet(2, 10, 10);
  const first = fleet.take(0, 0);
  const second = fleet.take(1, 0);
  await fleet.rows.step(); // both have read …
  await fleet.rows.step();
  assertEquals(fleet.rows.pending, 2); // … and sent their commit
  await fleet.rows.drain();
  await Promise.all([first, second]);
  assertEquals(fleet.rows.commits, 2);
  assertEquals(fleet.admitted.get("a"), 2);
  await settle();
});
