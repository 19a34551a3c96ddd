import { assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailable } from "../../../domain/failure.ts";
import { Bucket } from "../../../domain/rate_limit/bucket.ts";
import { BucketPump } from "../../../domain/rate_limit/bucket_pump.ts";
import { NO_LEASE } from "../../../domain/rate_limit/lease.ts";
import { ManualClock } from "../../support/clock.ts";
import { inMicrotask, settle, SteppedRows } from "./stepped_rows.ts";

const POLICY = { capacity: 120, refillPerS: 2 };

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
  // One bucket, then both others: doubled twice.
  assertEquals([pump.waiting, pump.batchSize], [0, 4]);
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

Deno.test("BucketPump counts everybody's wait from when they came", async () => {
  const { rows, clock, join } = pumpOf(1);
  const first = join("a");
  const early = assertRejects(() => join("b"), StoreUnavailable, "too slow");
  await rows.step(); // a is read, its commit goes out
  clock.advance(5_001);
  const late = join("b");
  await rows.drain();
  await Promise.all([first, early]);
  assertEquals((await late).admitted, true);
});

Deno.test("BucketPump counts the wait from before a lost race", async () => {
  const { rows, clock, join } = pumpOf(10);
  const first = assertRejects(() => join("a"), StoreUnavailable, "too slow");
  await rows.step(); // a is read, its commit goes out
  const rival = pumpOf(10, rows);
  const other = rival.join("a");
  await rows.step(1);
  await rows.step(1);
  await other;
  clock.advance(5_001);
  const late = join("a");
  await rows.drain();
  await first;
  assertEquals((await late).admitted, true);
});

Deno.test("BucketPump has as many commits under way as the store takes, and no bucket in two of them", async () => {
  const { rows, join } = pumpOf(2, undefined, 3);
  const asked = ["a", "b", "c", "d", "e", "f", "g", "a", "b"].map(join);
  await settle();
  while (rows.calls.length < 3 || rows.calls.at(-1)?.startsWith("read")) {
    await rows.step();
  }
  asked.push(join("a"));
  await rows.drain();
  for (const each of asked) assertEquals((await each).admitted, true);
  assertEquals(rows.calls.filter((call) => call.startsWith("read")), [
    "read a b",
    "read c d",
    "read e f",
    "read g",
  ]);
  assertEquals(rows.lost, 0);
});

Deno.test("BucketPump serves who lost a race before who came later", async () => {
  const { rows, join } = pumpOf(1);
  const asked = [join("a"), join("b")];
  await rows.step();
  const rival = pumpOf(1, rows);
  asked.push(rival.join("a"));
  await rows.step(1);
  await rows.step(1);
  rows.calls.length = 0;
  await rows.drain();
  await Promise.all(asked);
  assertEquals(rows.calls, ["read a", "commit a", "read b", "commit b"]);
});

Deno.test("BucketPump denies with the commit that empties the bucket", async () => {
  const { rows, join } = pumpOf(1);
  const asked = Array.from({ length: 121 }, () => join("a"));
  const other = join("b");
  await rows.step();
  await rows.step();
  assertEquals(await asked[120], { admitted: false, retryAfterS: 1 });
  assertEquals(rows.calls, ["read a", "commit a", "read b"]);
  await rows.drain();
  await Promise.all([...asked, other]);
});

Deno.test("BucketPump reads a row again that may have expired", async () => {
  const { rows, clock, join } = pumpOf(10);
  const ask = async () => {
    const asked = join("a");
    await rows.drain();
    return await asked;
  };
  await ask();
  clock.advance(60_499); // full after 0.5 s, kept for 60 s more
  rows.expire();
  await ask();
  clock.advance(60_500);
  rows.expire();
  assertEquals(await ask(), { admitted: true, remaining: 119 });
  assertEquals(rows.calls, [
    "read a",
    "commit a",
    "commit a",
    "read a",
    "commit a",
  ]);
});

Deno.test("BucketPump refuses its waiters when the store answers nonsense", async () => {
  const clock = new ManualClock();
  const pump = new BucketPump({
    rows: {
      maxBatch: 10,
      maxUnderWay: 1,
      atTurnsEnd: inMicrotask,
      read: () => Promise.resolve([]),
      commit: () => Promise.reject("never asked"),
    },
    clock,
    maxBatch: 10,
    maxWaiters: 10,
    maxWaitMs: 5_000,
    lease: NO_LEASE,
  });
  const bucket = new Bucket("a", "a", POLICY);
  await assertRejects(
    async () => await pump.join(bucket, { buckets: [bucket], isJoint: false }),
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

function pumpOf(maxBatch: number, shared?: SteppedRows, maxUnderWay = 1) {
  const clock = new ManualClock();
  const rows = shared ?? new SteppedRows(clock);
  const pump = new BucketPump({
    rows: rows.isolate(maxBatch, maxUnderWay),
    clock,
    maxBatch,
    maxWaiters: 1_000,
    maxWaitMs: 5_000,
    lease: NO_LEASE,
  });
  const buckets = new Map<string, Bucket>();
  const join = async (key: string) => {
    const bucket = buckets.get(key) ?? new Bucket(key, key, POLICY);
    buckets.set(key, bucket);
    return await pump.join(bucket, { buckets: [bucket], isJoint: false });
  };
  return { clock, rows, pump, join };
}
