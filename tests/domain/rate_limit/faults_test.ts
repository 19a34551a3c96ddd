import { assert, assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailable } from "../../../domain/failure.ts";
import { Bucket } from "../../../domain/rate_limit/bucket.ts";
import { BucketPump } from "../../../domain/rate_limit/bucket_pump.ts";
import { ManualClock } from "../../support/clock.ts";
import type { Fault } from "../../support/faults.ts";
import { openLimiter, takeMany } from "./fixture.ts";
import { settle, SteppedRows } from "./stepped_rows.ts";

const A = "192.0.2.1";
const POLICY = { capacity: 120, refillPerS: 2 };

/** Faults after which nobody knows, and what the next request leaves. */
const LOST: [fault: Fault["kind"], remainingNext: number][] = [
  ["fail_before", 118],
  ["fail_after", 108],
  ["hang", 118],
  ["hang_after", 108],
];

for (const [kind, remainingNext] of LOST) {
  Deno.test(`take() admits nobody on a commit that meets ${kind}, and goes on`, async () => {
    await using store = await openLimiter();
    await store.limiter.take("public", A);
    store.kv.inject({ on: "commit", fault: { kind } as Fault });
    store.patience.callMs = 5;
    const answers = await takeMany(store.limiter, 10);
    assertEquals(answers, { remaining: [], denied: 0, failed: 10 });
    store.patience.callMs = 2_000;
    const next = await store.limiter.take("public", A);
    assertEquals(next, { admitted: true, remaining: remainingNext });
    assertEquals(store.kv.readCount, 2); // memory was dropped
  });
}

for (const kind of ["fail_before", "hang"] as const) {
  Deno.test(`take() admits nobody on a read that meets ${kind}, and goes on`, async () => {
    const rule = { on: "read" as const, fault: { kind } };
    await using store = await openLimiter({}, [rule]);
    store.patience.callMs = 5;
    await assertRejects(
      async () => await store.limiter.take("public", A),
      StoreUnavailable,
      "the store did not answer",
    );
    store.patience.callMs = 2_000;
    assertEquals(await store.limiter.take("public", A), {
      admitted: true,
      remaining: 119,
    });
  });
}

for (const kind of ["conflict", "locked"] as const) {
  Deno.test(`take() answers everybody though commits meet ${kind}`, async () => {
    const rule = { on: "commit" as const, fault: { kind }, times: 5 };
    await using store = await openLimiter({}, [rule]);
    const answers = await takeMany(store.limiter, 200);
    assertEquals(answers.remaining.length, 120);
    assertEquals(answers.denied, 80);
    // A conflict means another wrote, so it is read again; a lock does not.
    assertEquals(store.kv.readCount, kind === "conflict" ? 6 : 1);
  });
}

Deno.test("take() answers what came during a slow commit in the next one", async () => {
  const fault: Fault = { kind: "delay", ms: 2 };
  await using store = await openLimiter({}, [{ on: "commit", fault }]);
  const first = store.limiter.take("public", A);
  await settle();
  const answers = await takeMany(store.limiter, 50);
  assertEquals(await first, { admitted: true, remaining: 119 });
  assertEquals(answers.remaining[0], 118);
  assertEquals(answers.remaining.length, 50);
  assert(store.kv.commits.length <= 2);
});

Deno.test("take() goes on after a store that was down for many commits", async () => {
  const fault: Fault = { kind: "fail_before" };
  await using store = await openLimiter({}, [
    { on: "commit", fault, times: 20 },
  ]);
  for (let n = 0; n < 20; n++) {
    assertEquals((await takeMany(store.limiter, 3)).failed, 3);
  }
  assertEquals((await takeMany(store.limiter, 200)).remaining.length, 120);
});

Deno.test("BucketPump halves its batch on a conflict and doubles it again", async () => {
  const { rows, pump, join } = pumpOf(100);
  const first = join("a");
  const second = join("b");
  await rows.step(0);
  const rival = pumpOf(100, rows);
  const third = rival.join("a");
  await rows.step(1); // the rival reads
  await rows.step(1); // and commits first
  await third;
  await rows.step(0);
  assertEquals(pump.batchSize, 50);
  await rows.drain();
  await Promise.all([first, second]);
  assertEquals(pump.batchSize, 100);
});

Deno.test("BucketPump halves its batch down to one and never below", async () => {
  const { rows, pump, join } = pumpOf(10);
  for (const expected of [5, 2, 1, 1, 1]) {
    const asked = assertRejects(() => join("a"), StoreUnavailable);
    await rows.step(0, "fail_before");
    await asked;
    assertEquals(pump.batchSize, expected);
  }
  const asked = [join("a"), join("b"), join("c")];
  await rows.drain();
  await Promise.all(asked);
  assertEquals(pump.waiting, 0);
});

Deno.test("BucketPump refuses who waited too long for a slow store", async () => {
  const { rows, clock, pump, join } = pumpOf(1);
  const first = join("a");
  const second = assertRejects(
    () => join("b"),
    StoreUnavailable,
    "the store is too slow",
  );
  await rows.step(); // a is read, its commit goes out
  clock.advance(5_001);
  const third = join("c");
  await rows.drain();
  await Promise.all([first, second, third]);
  assertEquals(pump.waiting, 0);
});

Deno.test("BucketPump refuses its waiters when the store answers nonsense", async () => {
  const clock = new ManualClock();
  const pump = new BucketPump({
    rows: {
      maxBatch: 10,
      read: () => Promise.resolve([]),
      commit: () => Promise.reject("never asked"),
    },
    clock,
    maxWaiters: 10,
    maxWaitMs: 5_000,
  });
  await assertRejects(
    () => pump.join(new Bucket("a", POLICY), clock.now()),
    StoreUnavailable,
  );
  await pump.idle();
  assertEquals(pump.waiting, 0);
});

Deno.test("BucketPump reads a bucket ahead while another isolate uses it", async () => {
  const { rows, join } = pumpOf(10);
  const rival = pumpOf(10, rows);
  const ask = async (who: typeof join) => {
    const asked = who("a");
    await settle();
    let calls = 0;
    for (; rows.pending > 0; calls++) await rows.step();
    await asked;
    return calls;
  };
  assertEquals(await ask(join), 2); // read, commit
  assertEquals(await ask(join), 1); // commit
  assertEquals(await ask(rival.join), 2);
  assertEquals(await ask(join), 3); // lost, read, commit
  assertEquals(await ask(rival.join), 3);
  assertEquals(await ask(join), 2); // now it reads first
  assertEquals(await ask(rival.join), 2);
  assertEquals(await ask(join), 2); // the rival's last commit
  for (let n = 0; n < 8; n++) assertEquals(await ask(join), 2);
  assertEquals(await ask(join), 1); // and trusts its memory once alone
});

function pumpOf(maxBatch: number, shared?: SteppedRows) {
  const clock = new ManualClock();
  const rows = shared ?? new SteppedRows(clock);
  const pump = new BucketPump({
    rows: rows.isolate(maxBatch),
    clock,
    maxWaiters: 100,
    maxWaitMs: 5_000,
  });
  const buckets = new Map<string, Bucket>();
  const join = (key: string) => {
    const bucket = buckets.get(key) ?? new Bucket(key, POLICY);
    buckets.set(key, bucket);
    return pump.join(bucket, clock.now());
  };
  return { clock, rows, pump, join };
}
