import { assert, assertEquals, assertRejects } from "@std/assert";
import { OutcomeUnknown, StoreUnavailable } from "../../domain/failure.ts";
import type {
  BucketCommit,
  BucketWrite,
} from "../../domain/rate_limit/bucket_rows.ts";
import { openKv } from "../../kv/open.ts";
import { rateBucketKey } from "../../kv/rate_bucket_keys.ts";
import { EMBEDDED_LANES, rateBuckets } from "../../kv/rate_buckets.ts";
import { TEST_START_MS } from "../support/clock.ts";
import type { FaultRule } from "../support/faults.ts";
import { FaultyKv } from "../support/faulty_kv.ts";
import { testPatience } from "../support/store.ts";

const HASH = "0123456789abcdefghijkl";

async function openRows(faults: readonly FaultRule[] = []) {
  const real = await openKv(":memory:");
  const kv = new FaultyKv(real, faults);
  const patience = testPatience();
  const nowMs = () => TEST_START_MS;
  return {
    real,
    kv,
    patience,
    rows: rateBuckets(kv, { lanes: EMBEDDED_LANES, patience, nowMs }),
    [Symbol.dispose]: () => real.close(),
  };
}

function write(key: string, versionstamp: string | null = null): BucketWrite {
  return {
    key,
    versionstamp,
    milliTokens: 119_000,
    atMs: TEST_START_MS,
    expireInMs: 60_500,
  };
}

function stampOf(commit: BucketCommit): string {
  assert(commit.ok);
  return commit.versionstamp;
}

Deno.test("rateBuckets() reads an absent row as full", async () => {
  using store = await openRows();
  assertEquals(await store.rows.read([HASH]), [{
    level: null,
    versionstamp: null,
  }]);
});

Deno.test("rateBuckets() reads back what it committed, in the order asked", async () => {
  using store = await openRows();
  const keys = Array.from({ length: 25 }, (_, n) => `${HASH}${n}`);
  const writes = keys.map((key, n) => ({ ...write(key), milliTokens: n }));
  const versionstamp = stampOf(await store.rows.commit(writes));
  const rows = await store.rows.read(keys.toReversed());
  assertEquals(
    rows,
    keys.map((_, n) => ({
      level: { milliTokens: n, atMs: TEST_START_MS },
      versionstamp,
    })).toReversed(),
  );
});

Deno.test("rateBuckets() writes nothing when one row of many has changed", async () => {
  using store = await openRows();
  const versionstamp = stampOf(await store.rows.commit([write("a")]));
  const lost = await store.rows.commit([write("b"), write("a")]);
  assertEquals(lost.ok, false);
  assertEquals((await store.rows.read(["b"]))[0]?.versionstamp, null);
  const won = await store.rows.commit([write("b"), write("a", versionstamp)]);
  assertEquals(won.ok, true);
});

Deno.test("rateBuckets() commits as many rows as it says", async () => {
  using store = await openRows();
  assertEquals(store.rows.maxBatch, 100);
  const writes = Array.from(
    { length: store.rows.maxBatch },
    (_, n) => write(`${HASH}${n}`),
  );
  assertEquals((await store.rows.commit(writes)).ok, true);
});

Deno.test("rateBuckets() keeps 16 bytes a row and lets it expire", async () => {
  using store = await openRows();
  await store.rows.commit([write(HASH)]);
  const entry = await store.real.get(rateBucketKey(HASH));
  assert(entry.value instanceof Uint8Array);
  assertEquals(entry.value.byteLength, 16);
  assertEquals(store.kv.commits[0]?.writes[0]?.options, { expireIn: 60_500 });
});

Deno.test("rateBuckets() takes a row that is none of ours for empty", async () => {
  using store = await openRows();
  const foreign = store.real.atomic();
  foreign.set(rateBucketKey(HASH), "full");
  await foreign.commit();
  const [row] = await store.rows.read([HASH]);
  assertEquals(row?.level, { milliTokens: 0, atMs: TEST_START_MS });
  const again = await store.rows.commit([
    write(HASH, row?.versionstamp ?? null),
  ]);
  assertEquals(again.ok, true);
});

Deno.test("rateBuckets() reads ten rows a call, as many as a call takes", async () => {
  using store = await openRows();
  const keys = Array.from({ length: 20 }, (_, n) => `${HASH}${n}`);
  await store.rows.read(keys);
  assertEquals(store.kv.readCount, 2);
});

Deno.test("rateBuckets() asks a locked store again until it has answered", async () => {
  const locked = { kind: "locked" } as const;
  using store = await openRows([
    { on: "commit", fault: locked, times: 50 },
    { on: "read", fault: locked, times: 50 },
  ]);
  assertEquals((await store.rows.read([HASH])).length, 1);
  assertEquals((await store.rows.commit([write(HASH)])).ok, true);
  assertEquals(store.kv.commits.length, 51);
});

Deno.test("rateBuckets() gives a store up that stays locked for two seconds", async () => {
  const locked = { kind: "locked" } as const;
  using store = await openRows([
    { on: "commit", fault: locked, times: Infinity },
  ]);
  const startMs = store.patience.nowMs();
  await assertRejects(
    () => store.rows.commit([write(HASH)]),
    StoreUnavailable,
  );
  const spentMs = store.patience.nowMs() - startMs;
  assert(spentMs >= 2_000 && spentMs <= 2_020, `${spentMs} ms`);
});

Deno.test("rateBuckets() asks a locked store no more once the two seconds are up, to the millisecond", async () => {
  const locked = { kind: "locked" } as const;
  using store = await openRows([
    { on: "commit", fault: locked, times: Infinity },
  ]);
  store.patience.random = () => 0; // a pause is a millisecond then
  await assertRejects(
    () => store.rows.commit([write(HASH)]),
    StoreUnavailable,
  );
  assertEquals(store.kv.commits.length, 2_001);
});

for (
  const kind of ["fail_before", "fail_after", "hang", "hang_after"] as const
) {
  Deno.test(`rateBuckets() never repeats a commit that meets ${kind}`, async () => {
    using store = await openRows([{ on: "commit", fault: { kind } }]);
    store.patience.callMs = 5;
    await assertRejects(
      () => store.rows.commit([write(HASH)]),
      OutcomeUnknown,
    );
    assertEquals(store.kv.commits.length, 1);
  });
}

for (const kind of ["fail_before", "hang"] as const) {
  Deno.test(`rateBuckets() reports a read that meets ${kind} once`, async () => {
    const rule = { on: "read" as const, fault: { kind }, times: 3 };
    using store = await openRows([rule]);
    store.patience.callMs = 5;
    const keys = Array.from({ length: 25 }, (_, n) => `${n}`);
    await assertRejects(() => store.rows.read(keys), StoreUnavailable);
  });
}

Deno.test("rateBuckets() rejects, and does not throw, once the store is closed", async () => {
  const store = await openRows();
  store.real.close();
  const commit = store.rows.commit([write(HASH)]);
  await assertRejects(() => commit, OutcomeUnknown);
  const read = store.rows.read([HASH]);
  await assertRejects(() => read, StoreUnavailable);
});
