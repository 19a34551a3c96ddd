import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  OutcomeUnknown,
  StoreUnavailable,
  TemporaryFailure,
} from "../../domain/failure.ts";
import { guardedCommit } from "../../kv/commit.ts";
import { guardedRead } from "../../kv/guard.ts";
import { keys } from "../../kv/keys.ts";
import { markedCommits } from "../../kv/marked_commits.ts";
import { openKv } from "../../kv/open.ts";
import { rateBuckets, REMOTE_LANES } from "../../kv/rate_buckets.ts";
import { createStore } from "../../kv/store.ts";
import { ManualClock, TEST_START_MS } from "../support/clock.ts";
import { keyOf } from "../support/faults.ts";
import { FaultyKv } from "../support/faulty_kv.ts";
import { testPatience } from "../support/store.ts";
import {
  answered,
  bumpAndGiveUp,
  bumpInRace,
  countMarks,
  effects,
  GATE_MS,
  MARKS,
  openProcess,
  today,
} from "./marked_process.ts";
import { bump } from "./records.ts";

const resent = { on: "commit", fault: { kind: "resent" } } as const;
const late = { on: "commit", fault: { kind: "late" } } as const;

Deno.test("a commit that its client sent again is known as our own, and nothing runs twice", async () => {
  using process = await openProcess([resent]);
  await bump(process.store);
  assertEquals(await effects(process.real), [1, 1]);
  assertEquals(process.retries, []);
  await bump(process.store);
  assertEquals(await effects(process.real), [2, 2]);
});

Deno.test("a sum without any check is added once, however often its client sends it", async () => {
  using process = await openProcess([{ ...resent, times: 3 }]);
  for (let n = 0; n < 3; n++) {
    await process.store.transact((tx) => tx.bidCounts.add(1, today));
  }
  assertEquals((await effects(process.real))[1], 3);
});

Deno.test("a commit whose mark could not be read, for a lock either, is not taken for one that was never applied", async () => {
  const locked = { on: "read", fault: { kind: "locked" } } as const;
  using process = await openProcess([
    resent,
    { ...locked, key: keyOf(MARKS) },
  ]);
  await bump(process.store);
  assertEquals(await effects(process.real), [1, 1]);
  assertEquals(process.retries, []);
});

Deno.test("a commit that is answered costs no read, and deletes what it is to delete", async () => {
  using process = await openProcess();
  await bump(process.store);
  const commit = process.kv.atomic();
  commit.delete(keys.jobRun("a"));
  const { readCount } = process.faulty;
  assertEquals((await commit.commit()).ok, true);
  assertEquals(process.faulty.readCount, readCount);
  assertEquals(await effects(process.real), [0, 1]);
});

Deno.test("the mark of a commit that lost its race goes to the next one", async () => {
  using process = await openProcess();
  await bump(process.store);
  await bumpInRace(process);
  assertEquals(process.retries, ["conflict"]);
  assertEquals(await countMarks(process.real), 1);
});

Deno.test("a race that somebody else won stays lost, whether or not the commit was sent again", async () => {
  using process = await openProcess([{ ...resent, times: 2 }]);
  await bumpInRace(process);
  assertEquals(process.retries, ["conflict"]);
  assertEquals((await effects(process.real))[0], 11);
});

Deno.test("what is written remembers the version its commit really got", async () => {
  using process = await openProcess([resent]);
  const commit = process.kv.atomic();
  commit.set(keys.calendar(), 1);
  const ended = await commit.commit();
  const { versionstamp } = await process.real.get(keys.calendar());
  assertEquals(ended, { ok: true, versionstamp: versionstamp ?? "" });
});

Deno.test("a bucket gives its token once when the answer was lost", async () => {
  using process = await openProcess([resent]);
  const { kv, patience } = process;
  const rows = rateBuckets(kv, {
    lanes: REMOTE_LANES,
    patience,
    nowMs: () => TEST_START_MS,
  });
  const level = { milliTokens: 119_000, atMs: TEST_START_MS };
  const write = { key: "a", versionstamp: null, ...level, expireInMs: 60_500 };
  assertEquals((await rows.commit([write])).ok, true);
  assertEquals((await rows.read(["a"]))[0]?.level, level);
});

for (
  const status of ["400 Bad Request", "404 Not Found", "413 Content Too Large"]
) {
  const refused = new Error(
    `KV Connect failed to call 'https://kv/v2/atomic_write' (status=${status}): `,
  );
  Deno.test(`a commit that applied before its repeat was refused with ${status} is our own, and the next one's lost race is no success`, async () => {
    using process = await openProcess([{
      on: "commit",
      fault: { kind: "fail_after", error: refused },
    }]);
    await bump(process.store);
    assertEquals(await effects(process.real), [1, 1]);
    await bumpInRace(process);
    assertEquals(process.retries, ["conflict"]);
    assertEquals((await effects(process.real))[0], 11);
  });

  Deno.test(`a commit that is refused with ${status} before it applied never does, and the next ones do`, async () => {
    using process = await openProcess([{
      on: "commit",
      fault: { kind: "fail_before", error: refused },
    }]);
    const error = await assertRejects(() => bump(process.store), Error);
    const isMistake = !status.startsWith("404");
    assertEquals(error === refused, isMistake, error.name);
    assertEquals(await effects(process.real), [0, 0]);
    await bump(process.store);
    assertEquals(await effects(process.real), [1, 1]);
  });
}

Deno.test("a commit that was refused and can't be ended is told as unknown, and nothing else is sent until it is", async () => {
  const error = new Error(
    "KV Connect failed to call 'https://kv' (status=400 Bad Request): ",
  );
  const fault = { kind: "fail_after", error } as const;
  using process = await openProcess([
    { on: "commit", fault },
    { on: "commit", fault: { kind: "fail_before" }, times: 2 },
  ]);
  await assertRejects(() => bump(process.store), OutcomeUnknown);
  assertEquals(await effects(process.kv), [1, 1]);
  await bump(process.store);
  assertEquals(await effects(process.real), [2, 2]);
});

Deno.test("a commit whose answer broke off is found to have applied", async () => {
  using process = await openProcess([{
    on: "commit",
    fault: { kind: "fail_after" },
  }]);
  await bump(process.store);
  assertEquals(await effects(process.real), [1, 1]);
});

Deno.test("a commit that was given up never applies, however late it arrives", async () => {
  using process = await openProcess([late]);
  await assertRejects(() => bump(process.store), StoreUnavailable, "unapplied");
  await process.faulty.arrive();
  assertEquals(await effects(process.real), [0, 0]);
  await bump(process.store);
  await process.faulty.arrive();
  assertEquals(await effects(process.real), [1, 1]);
});

Deno.test("a commit that was given up is told so, although its end was sent twice", async () => {
  using process = await openProcess([
    late,
    { ...resent, key: keyOf(MARKS) },
  ]);
  await assertRejects(() => bump(process.store), StoreUnavailable, "unapplied");
  await process.faulty.arrive();
  assertEquals(await effects(process.real), [0, 0]);
});

Deno.test("what a client says of a commit after that was given up changes nothing", async () => {
  const line = Promise.withResolvers<void>();
  using process = await openProcess([{
    on: "commit",
    fault: { kind: "hold", until: line.promise },
  }]);
  const commit = process.kv.atomic();
  commit.sum(keys.bidCount(today), 1n);
  const refused = new TypeError("Value too large (max 65536 bytes)");
  const sent = assertRejects(() => commit.commit(), TypeError, refused.message);
  await answered(process);
  assertEquals(await commit.settle?.(), null);
  line.reject(refused);
  await sent;
  await bump(process.store);
  assertEquals(await effects(process.real), [1, 1]);
});

Deno.test("a commit past its deadline never applies, although its client goes on sending it", async () => {
  const line = Promise.withResolvers<void>();
  using process = await openProcess([{
    on: "commit",
    fault: { kind: "hold", until: line.promise },
  }]);
  await assertRejects(() => bumpAndGiveUp(process), TemporaryFailure);
  line.resolve();
  await answered(process);
  assertEquals(await effects(process.real), [0, 0]);
  assertEquals(process.faulty.commits.map(({ applied }) => applied), [
    false,
    true,
  ]);
});

Deno.test("while the line is away nothing is sent behind a commit without an answer, and its end goes first", async () => {
  const line = Promise.withResolvers<void>();
  const away = { kind: "hold", until: line.promise } as const;
  using process = await openProcess([
    { on: "commit", fault: away, times: 2 },
  ]);
  await assertRejects(() => bumpAndGiveUp(process), OutcomeUnknown);
  const { readCount } = process.faulty;
  await assertRejects(() => process.store.jobRuns.find("a"), StoreUnavailable);
  const { kv, patience } = process;
  await assertRejects(
    () => guardedRead(() => kv.get(keys.calendar()), patience),
    StoreUnavailable,
  );
  await assertRejects(
    () => process.store.listSpotlights(null, { limit: 1 }),
    StoreUnavailable,
  );
  const calendar = () =>
    process.store.transact((tx) => tx.bidCounts.add(1, today));
  // What was never sent is not unknown.
  await assertRejects(calendar, StoreUnavailable, "unapplied");
  assertEquals(process.faulty.readCount, readCount);
  assertEquals(process.faulty.commits.length, 2);
  line.resolve();
  process.patience.callMs = GATE_MS;
  await bump(process.store);
  // Of the two that waited for the line the bid's came first.
  assertEquals(await effects(process.real), [2, 2]);
});

Deno.test("who ends a commit goes on until its own answer is known", async () => {
  using process = await openProcess([
    late,
    { on: "commit", key: keyOf(MARKS), fault: { kind: "fail_before" } },
    { on: "commit", key: keyOf(MARKS), fault: { kind: "fail_after" } },
    { ...resent, key: keyOf(MARKS) },
  ]);
  await assertRejects(() => bump(process.store), OutcomeUnknown);
  // Ends it, and does not hear so.
  await assertRejects(() => process.store.jobRuns.find("a"), StoreUnavailable);
  // Asks again: it was ended by ourselves.
  assertEquals(await process.store.jobRuns.find("a"), null);
  await process.faulty.arrive();
  await bump(process.store);
  assertEquals(await effects(process.real), [1, 1]);
});

Deno.test("a commit that waits for the line when it is given up is never sent", async () => {
  const line = Promise.withResolvers<void>();
  using process = await openProcess([
    late,
    {
      on: "commit",
      key: keyOf(MARKS),
      fault: { kind: "hold", until: line.promise },
    },
  ]);
  await assertRejects(() => bumpAndGiveUp(process), OutcomeUnknown);
  const waiting = process.kv.atomic();
  waiting.sum(keys.bidCount(today), 1n);
  const commit = assertRejects(() => waiting.commit(), StoreUnavailable);
  assertEquals(await waiting.settle?.(), null);
  line.resolve();
  await commit;
  assertEquals(await effects(process.real), [0, 0]);
});

Deno.test("a process has as many marks as commits at once, and a mark that was swept loses no commit", async () => {
  using process = await openProcess();
  for (let n = 0; n < 20; n++) await bump(process.store);
  assertEquals(await countMarks(process.real), 1);
  const sums = Array.from(
    { length: 5 },
    () => process.store.transact((tx) => tx.bidCounts.add(1, today)),
  );
  await Promise.all(sums);
  assertEquals(await countMarks(process.real), 5);
  const swept = process.real.atomic();
  for (let n = 0; n < 5; n++) swept.delete(keys.commitMark("one", n));
  await swept.commit();
  assertEquals(await countMarks(process.real), 0);
  for (let n = 0; n < 6; n++) await bump(process.store);
  assertEquals(await effects(process.real), [26, 31]);
});

Deno.test("marks of two processes are their own", async () => {
  using process = await openProcess([late]);
  const other = new FaultyKv(process.real, [resent]);
  const store = createStore({
    kv: markedCommits(other, { owner: "two" }),
    clock: new ManualClock(),
    patience: testPatience(),
  });
  await bump(store);
  await assertRejects(() => bump(process.store), StoreUnavailable);
  await bump(store);
  assertEquals(await effects(process.real), [2, 2]);
});

Deno.test("what the store does not take is a bug, and its mark goes to the next commit", async () => {
  using process = await openProcess();
  const { kv, patience } = process;
  await assertRejects(
    () =>
      guardedCommit(kv, (atomic) => {
        atomic.set(keys.calendar(), "x".repeat(70_000));
      }, { patience }),
    TypeError,
  );
  assertEquals(await countMarks(process.real), 0);
  await bump(process.store);
  assertEquals(await countMarks(process.real), 1);
});

Deno.test("openKv() marks the commits of a store over a network, and those of no file", async () => {
  using process = await openProcess();
  const embedded = await openKv(":memory:");
  try {
    assertEquals(embedded.atomic().settle, undefined);
    assert(process.kv.atomic().settle);
    await guardedCommit(embedded, (atomic) => {
      atomic.set(keys.calendar(), 1);
    }, { patience: testPatience() });
    assertEquals(await countMarks(embedded), 0);
  } finally {
    embedded.close();
  }
});
