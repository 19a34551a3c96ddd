import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createRateLimiter } from "../../../domain/rate_limit/create_rate_limiter.ts";
import type { RateLimiter } from "../../../domain/rate_limit/limiter.ts";
import { BUCKET_POLICIES } from "../../../domain/rate_limit/policy.ts";
import { ManualClock, TEST_START_MS } from "../../support/clock.ts";
import { openLimiter, takeMany } from "./fixture.ts";
import { type Fate, SteppedRows } from "./stepped_rows.ts";

const A = "192.0.2.1";

/** What each of so many requests, one after the other, is told is left. */
async function takeInTurn(
  limiter: RateLimiter,
  times: number,
): Promise<number[]> {
  const remaining: number[] = [];
  for (let n = 0; n < times; n++) {
    const verdict = await limiter.take("public", A);
    if (verdict.admitted) remaining.push(verdict.remaining);
  }
  return remaining;
}

Deno.test("a client's burst waits for the store once in eight requests, and counts down exactly", async () => {
  await using store = await openLimiter();
  assertEquals(
    await takeInTurn(store.limiter, 200),
    Array.from({ length: 120 }, (_, n) => 119 - n),
  );
  assertEquals(store.kv.readCount, 1);
  // One in eight at first, each of the last fifteen.
  assertEquals(store.kv.commits.length, 42);
  await using warm = await openLimiter();
  await warm.limiter.take("public", A);
  for (let n = 0; n < 7; n++) {
    const verdict = warm.limiter.take("public", A);
    assertEquals(verdict, { admitted: true, remaining: 118 - n });
  }
  assertEquals(warm.kv.commits.length, 1);
});

Deno.test("a lone process loses no token that it held and nobody wanted", async () => {
  await using store = await openLimiter();
  await takeMany(store.limiter, 60);
  for (let n = 1; n <= 40; n++) {
    // A token and a half come back in between, and one is taken.
    store.clock.advance(750);
    const verdict = await store.limiter.take("public", A);
    const remaining = 60 + Math.floor(n / 2);
    assertEquals(verdict, { admitted: true, remaining });
  }
  store.clock.advance(3_600_000);
  assertEquals(await takeInTurn(store.limiter, 3), [119, 118, 117]);
});

Deno.test("what is held is given for a second, and no longer than until the bucket would be full", async () => {
  for (const [used, heldMs] of [[1, 500], [3, 1_000], [60, 1_000]] as const) {
    for (const lateMs of [-1, 0]) {
      await using store = await openLimiter();
      await takeMany(store.limiter, used);
      store.clock.advance(heldMs + lateMs);
      const verdict = store.limiter.take("public", A);
      assertEquals(verdict instanceof Promise, lateMs === 0);
      await verdict;
    }
  }
});

Deno.test("a process whose clock runs backwards gives nothing of what it holds", async () => {
  await using store = await openLimiter();
  await store.limiter.take("public", A);
  store.clock.advance(-1);
  assert(store.limiter.take("public", A) instanceof Promise);
});

Deno.test("a process that ends leaves seven tokens of a bucket ungiven at most, and time brings them back", async () => {
  await using store = await openLimiter();
  await store.limiter.take("public", A);
  const next = store.another();
  assertEquals((await takeMany(next.limiter, 200)).remaining.length, 112);
  store.clock.advance(60_000);
  assertEquals((await takeMany(next.limiter, 200)).remaining.length, 120);
});

Deno.test("a bucket that is nearly empty is held by nobody", async () => {
  await using store = await openLimiter();
  await takeMany(store.limiter, 105);
  const next = store.another();
  assertEquals((await takeMany(next.limiter, 200)).remaining.length, 15);
});

Deno.test("a client that two processes serve in turns loses next to nothing to what they hold", async () => {
  await using store = await openLimiter();
  const both = [store.limiter, store.another().limiter];
  for (let n = 0; n < 600; n++) {
    const verdict = await both[n % 2]?.take("public", A);
    assert(verdict?.admitted, `request ${n} of two a second was refused`);
    assert(verdict.remaining >= 104, `${verdict.remaining} left`);
    store.clock.advance(500);
  }
});

Deno.test("a commit whose end is unknown gives nobody what it took ahead", async () => {
  await using store = await openLimiter();
  store.kv.inject({ on: "commit", fault: { kind: "fail_after" } });
  assertEquals((await takeMany(store.limiter, 1)).failed, 1);
  const verdict = store.limiter.take("public", A);
  assert(verdict instanceof Promise, "nothing of it is held");
  assertEquals(await verdict, { admitted: true, remaining: 111 });
});

const CAPACITY = 30;
const REFILL_PER_S = 10;
const ADDRESSES = ["a", "b"];
const PROCESSES = 4;

/** Several processes that hold as much as they can, over one store. */
class Fleet {
  readonly clock = new ManualClock();
  readonly rows = new SteppedRows(this.clock);
  readonly admittedAtMs = new Map<string, number[]>();
  readonly limiters: RateLimiter[];

  constructor(maxBatch: number, maxUnderWay: number, maxBuckets: number) {
    this.limiters = Array.from({ length: PROCESSES }, () =>
      createRateLimiter({
        rows: this.rows.isolate(maxBatch, maxUnderWay),
        clock: this.clock,
        hashId: (text) => text,
        policies: {
          ...BUCKET_POLICIES,
          public: { capacity: CAPACITY, refillPerS: REFILL_PER_S },
        },
        maxBuckets,
        maxWaitMs: Infinity,
        lease: { most: 7, share: 1 },
      }));
  }

  async take(process: number, id: string): Promise<void> {
    try {
      const verdict = await this.limiters[process]?.take("public", id);
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

type Action =
  | { do: "take"; process: number; address: number; times: number }
  | { do: "step"; which: number; fate: Fate }
  | { do: "advance"; ms: number }
  | { do: "expire" };

const sizes = fc.record({
  maxBatch: fc.integer({ min: 1, max: 4 }),
  maxUnderWay: fc.integer({ min: 1, max: 3 }),
  maxBuckets: fc.integer({ min: 1, max: 4 }),
});

const takes = fc.record({
  do: fc.constant("take" as const),
  process: fc.nat(PROCESSES - 1),
  address: fc.nat(ADDRESSES.length - 1),
  times: fc.integer({ min: 1, max: 12 }),
});

const advances = fc.record({
  do: fc.constant("advance" as const),
  ms: fc.oneof(fc.nat(1_200), fc.constantFrom(0, 499, 500, 15_000, 80_000)),
});

async function play(
  fleet: Fleet,
  script: readonly Action[],
  settled: boolean,
): Promise<void> {
  const asked: Promise<void>[] = [];
  for (const action of script) {
    if (action.do === "advance") fleet.clock.advance(action.ms);
    else if (action.do === "expire") fleet.rows.expire();
    else if (action.do === "step") {
      await fleet.rows.step(action.which, action.fate);
    } else {
      const id = ADDRESSES[action.address] ?? "a";
      for (let n = 0; n < action.times; n++) {
        asked.push(fleet.take(action.process, id));
      }
      if (settled) await fleet.rows.drain();
    }
  }
  await fleet.rows.drain();
  await Promise.all(asked);
}

Deno.test("several processes that hold tokens never admit more than the bound, however calls interleave and fail", async () => {
  const fates = fc.constantFrom<Fate>(
    "apply",
    "apply",
    "apply",
    "fail_before",
    "fail_after",
    "late",
    "lost_answer",
  );
  const steps = fc.record({
    do: fc.constant("step" as const),
    which: fc.nat(9),
    fate: fates,
  });
  const script = fc.array(
    fc.oneof<fc.MaybeWeightedArbitrary<Action>[]>(
      { weight: 4, arbitrary: takes },
      { weight: 7, arbitrary: steps },
      { weight: 2, arbitrary: advances },
      { weight: 1, arbitrary: fc.constant({ do: "expire" as const }) },
    ),
    { minLength: 5, maxLength: 80 },
  );
  await fc.assert(
    fc.asyncProperty(script, sizes, async (actions, size) => {
      const { maxBatch, maxUnderWay, maxBuckets } = size;
      const fleet = new Fleet(maxBatch, maxUnderWay, maxBuckets);
      await play(fleet, actions, false);
      fleet.checkBound();
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("several processes that hold tokens admit no more than the bound where nothing fails and nothing is lost", async () => {
  const steps = fc.record({
    do: fc.constant("step" as const),
    which: fc.nat(9),
    fate: fc.constant<Fate>("apply"),
  });
  const script = fc.array(
    fc.oneof<fc.MaybeWeightedArbitrary<Action>[]>(
      { weight: 6, arbitrary: takes },
      { weight: 6, arbitrary: steps },
      { weight: 1, arbitrary: advances },
    ),
    { minLength: 20, maxLength: 100 },
  );
  await fc.assert(
    fc.asyncProperty(script, sizes, async (actions, size) => {
      const { maxBatch, maxUnderWay } = size;
      const fleet = new Fleet(maxBatch, maxUnderWay, 4);
      await play(fleet, actions, false);
      fleet.checkBound();
    }),
    { numRuns: 500 },
  );
});

Deno.test("what is held is given to those who wait before more is taken, and not beside that", async () => {
  const clock = new ManualClock();
  const rows = new SteppedRows(clock);
  const limiter = createRateLimiter({
    rows: rows.isolate(),
    clock,
    hashId: (text) => text,
  });
  const first = limiter.take("public", A);
  await rows.step(); // it is read, and its commit is under way
  const waiting = Array.from({ length: 9 }, () => limiter.take("public", A));
  await rows.step();
  assertEquals(await first, { admitted: true, remaining: 119 });
  // Seven were held, and a commit takes two more, and seven to be held.
  const behind = limiter.take("public", A);
  assertEquals(rows.pending, 1);
  await rows.drain();
  const verdicts = await Promise.all([...waiting, behind]);
  assertEquals(
    verdicts.map((each) => each.admitted && each.remaining),
    Array.from({ length: 10 }, (_, n) => 118 - n),
  );
  assertEquals(rows.commits, 2);
});

Deno.test("what several processes hold makes no burst larger than a full bucket, at any time", async () => {
  const script = fc.array(
    fc.oneof<fc.MaybeWeightedArbitrary<Action>[]>(
      { weight: 4, arbitrary: takes },
      { weight: 3, arbitrary: advances },
      { weight: 1, arbitrary: fc.constant({ do: "expire" as const }) },
    ),
    { minLength: 5, maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(script, sizes, async (actions, size) => {
      const { maxBatch, maxUnderWay, maxBuckets } = size;
      const fleet = new Fleet(maxBatch, maxUnderWay, maxBuckets);
      await play(fleet, actions, true);
      fleet.checkWindows();
    }),
    { numRuns: 500 },
  );
});
