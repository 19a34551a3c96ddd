import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Contention,
  OutcomeUnknown,
  StoreUnavailable,
} from "../../domain/failure.ts";
import { MAX_ATTEMPTS } from "../../kv/store.ts";
import { isCrash } from "../support/faults.ts";
import { openTestStore, type TestProcess } from "../support/store.ts";
import { IS_NETWORKED } from "../support/test_kv.ts";
import { day, jobRun } from "./records.ts";

Deno.test("transact() runs again on fresh reads when it lost a race", async () => {
  const retries: string[] = [];
  await using test = await openTestStore({
    onRetry: (why) => retries.push(why),
  });
  const other = test.another().store;
  const seen: (number | undefined)[] = [];
  await test.store.transact(async (tx) => {
    const run = await tx.jobRuns.find("a");
    seen.push(run?.lastSuccessMs);
    if (seen.length === 1) await bump({ store: other });
    tx.jobRuns.save(jobRun("a", (run?.lastSuccessMs ?? 0) + 1));
  });
  assertEquals(seen, [undefined, 1]);
  assertEquals(retries, ["conflict"]);
  assertEquals((await test.store.jobRuns.find("a"))?.lastSuccessMs, 2);
});

Deno.test("transact() checks the absence of what it did not find", async () => {
  await using test = await openTestStore();
  const other = test.another().store;
  let calls = 0;
  await test.store.transact(async (tx) => {
    calls += 1;
    if (await tx.jobRuns.find("a") !== null) return;
    if (calls === 1) await bump({ store: other });
    tx.jobRuns.save(jobRun("a", 100));
  });
  assertEquals(calls, 2);
  assertEquals((await test.store.jobRuns.find("a"))?.lastSuccessMs, 1);
});

Deno.test("transact() gives up with Contention after ten lost races", async () => {
  const slept: number[] = [];
  await using test = await openTestStore({
    patience: {
      sleep: (ms) => {
        slept.push(ms);
        return Promise.resolve();
      },
    },
    faults: [{ on: "commit", times: 10, fault: { kind: "conflict" } }],
  });
  const calls = countCalls();
  const error = await assertRejects(() => bump(test, calls), Contention);
  assertEquals(error.retryAfterS, 1);
  assertEquals(calls.count, MAX_ATTEMPTS);
  assertEquals(test.kv.commits.length, MAX_ATTEMPTS);
  // It waits between races, ever longer, and not after the last.
  assertEquals(slept, [1, 2, 4, 8, 16, 25, 25, 25, 25]);
  assertEquals(await test.store.jobRuns.find("a"), null);
});

Deno.test("transact() gives up with Contention at the race that it loses after its time", async () => {
  let nowMs = 0;
  await using test = await openTestStore({
    patience: { verbMs: 2_000, nowMs: () => nowMs },
    faults: [{ on: "commit", times: 10, fault: { kind: "conflict" } }],
  });
  let calls = 0;
  const slowly = test.store.transact((tx) => {
    calls += 1;
    nowMs += 900;
    tx.jobRuns.save(jobRun("a", calls));
  });
  await assertRejects(() => slowly, Contention);
  assertEquals(calls, 3);
  assertEquals(await test.store.jobRuns.find("a"), null);
});

Deno.test("transact() wins the tenth race after nine lost ones", async () => {
  await using test = await openTestStore({
    faults: [{ on: "commit", times: 9, fault: { kind: "conflict" } }],
  });
  await bump(test);
  assertEquals((await test.store.jobRuns.find("a"))?.lastSuccessMs, 1);
});

Deno.test("transact() sends a locked commit again without counting a race", async () => {
  const retries: string[] = [];
  await using test = await openTestStore({
    onRetry: (why) => retries.push(why),
    faults: [{ on: "commit", times: 40, fault: { kind: "locked" } }],
  });
  const calls = countCalls();
  await bump(test, calls);
  assertEquals(calls.count, 1);
  assertEquals(retries.length, 40);
  assert(retries.every((why) => why === "locked"));
  assertEquals((await test.store.jobRuns.find("a"))?.lastSuccessMs, 1);
});

Deno.test("transact() stops with StoreUnavailable when locks outlast its budget", async () => {
  let nowMs = 0;
  await using test = await openTestStore({
    patience: {
      nowMs: () => nowMs,
      sleep: (ms) => {
        assert(ms >= 1 && ms <= 20, `sleeps ${ms} ms`);
        nowMs += ms;
        return Promise.resolve();
      },
    },
    faults: [{ on: "commit", times: Infinity, fault: { kind: "locked" } }],
  });
  const calls = countCalls();
  await assertRejects(() => bump(test, calls), StoreUnavailable);
  assertEquals(calls.count, 1);
  assert(nowMs >= 2_000 && nowMs < 2_020, `gave up after ${nowMs} ms`);
});

Deno.test("transact() spends one budget for locks on reads and commit together", async () => {
  let nowMs = 0;
  await using test = await openTestStore({
    patience: {
      verbMs: 100,
      nowMs: () => nowMs,
      sleep: (ms) => {
        nowMs += ms;
        return Promise.resolve();
      },
    },
    // 8 × 10.5 ms of waiting before the first read is answered.
    faults: [
      { on: "read", times: 8, fault: { kind: "locked" } },
      { on: "commit", times: Infinity, fault: { kind: "locked" } },
    ],
  });
  await assertRejects(() => bump(test), StoreUnavailable);
  assert(nowMs < 120, `gave up after ${nowMs} ms`);
});

Deno.test("a locked read is repeated within the budget, then StoreUnavailable", async () => {
  const retries: string[] = [];
  await using test = await openTestStore({
    onRetry: (why) => retries.push(why),
    faults: [{ on: "read", times: 5, fault: { kind: "locked" } }],
  });
  assertEquals(await test.store.jobRuns.find("a"), null);
  assertEquals(retries, Array(5).fill("locked"));
  test.kv.inject({ on: "read", times: Infinity, fault: { kind: "locked" } });
  await assertRejects(() => test.store.jobRuns.find("a"), StoreUnavailable);
  await assertRejects(
    () => test.store.listAccounts({ limit: 1 }),
    StoreUnavailable,
  );
});

Deno.test("a read past its deadline is StoreUnavailable", async () => {
  await using test = await openTestStore({
    patience: { callMs: 3 },
    faults: [{ on: "read", times: Infinity, fault: { kind: "hang" } }],
  });
  const { store } = test;
  const reads: (() => Promise<unknown>)[] = [
    () => store.jobRuns.find("a"),
    () => store.getMany([store.jobRuns.ref("a")]),
    () => store.listAccounts({ limit: 1 }),
    () => store.spotlightsVersion(),
    () => store.transact((tx) => tx.jobRuns.find("a")),
    () => store.transact((tx) => tx.peek(tx.jobRuns.ref("a"))),
  ];
  for (const read of reads) await assertRejects(read, StoreUnavailable);
});

Deno.test("a read that fails is StoreUnavailable", async () => {
  await using test = await openTestStore({
    faults: [{ on: "read", fault: { kind: "fail_before" } }],
  });
  await assertRejects(() => bump(test), StoreUnavailable);
  assertEquals(test.kv.commits.length, 0);
});

for (const kind of ["hang", "hang_after"] as const) {
  Deno.test(`a commit past its deadline is OutcomeUnknown and not sent again (${kind})`, async () => {
    await using test = await openTestStore({
      patience: { callMs: 3 },
      faults: [{ on: "commit", fault: { kind } }],
    });
    let calls = 0;
    const run = () =>
      test.store.transact((tx) => {
        calls += 1;
        tx.jobRuns.save(jobRun("a"));
      });
    await assertRejects(run, OutcomeUnknown);
    const applied = kind === "hang_after";
    // The store may still be at it.
    while (test.kv.commits[0]?.applied !== applied) {
      await test.realKv.get(["any"]);
    }
    assertEquals(calls, 1);
    assertEquals(test.kv.commits.length, 1);
  });
}

Deno.test("a commit that failed after it applied is OutcomeUnknown and not sent again", async () => {
  await using test = await openTestStore({
    faults: [{ on: "commit", fault: { kind: "fail_after" } }],
  });
  const calls = countCalls();
  await assertRejects(() => bump(test, calls), OutcomeUnknown);
  assertEquals(calls.count, 1);
  assertEquals(test.kv.commits.length, 1);
  assertEquals((await test.store.jobRuns.find("a"))?.lastSuccessMs, 1);
});

Deno.test("a commit that failed before it applied is OutcomeUnknown too", async () => {
  await using test = await openTestStore({
    faults: [{ on: "commit", fault: { kind: "fail_before" } }],
  });
  const calls = countCalls();
  await assertRejects(() => bump(test, calls), OutcomeUnknown);
  assertEquals(calls.count, 1);
});

Deno.test("a value too large is a bug that stays what it is", async () => {
  await using test = await openTestStore();
  await assertRejects(
    () =>
      test.store.transact((tx) =>
        tx.jobRuns.save({
          ...jobRun("a"),
          name: "a",
          ...{ x: "x".repeat(70_000) },
        })
      ),
    TypeError,
    "Value too large",
  );
});

Deno.test("a value that cannot be stored is a bug that stays what it is", async () => {
  await using test = await openTestStore();
  await assertRejects(
    () =>
      test.store.transact((tx) =>
        tx.jobRuns.save({ ...jobRun("a"), ...{ x() {} } })
      ),
    TypeError,
    "could not be cloned",
  );
});

Deno.test("a counter whose row is no counter is a bug that stays what it is", async () => {
  await using test = await openTestStore();
  const today = day("2026-11-20");
  await set(test.realKv, ["bid_counts", today], "three");
  await assertRejects(
    () => test.store.transact((tx) => tx.bidCounts.add(1, today)),
    // A KV server's refusals have no type of their own.
    IS_NETWORKED ? Error : TypeError,
    "non-U64",
  );
});

Deno.test("a process that died leaves a commit whole or not at all", async () => {
  for (const when of ["before", "after"] as const) {
    await using test = await openTestStore();
    test.kv.crashAt({ commit: 1, when });
    const error = await assertRejects(() =>
      test.store.transact((tx) => {
        tx.jobRuns.save(jobRun("a"));
        tx.jobRuns.save(jobRun("b"));
      })
    );
    assert(isCrash(error));
    await assertRejects(() => test.store.jobRuns.find("a"), StoreUnavailable);
    const { store } = test.another();
    const found = await store.getMany([
      store.jobRuns.ref("a"),
      store.jobRuns.ref("b"),
    ]);
    const whole = when === "after";
    assertEquals(found.map((run) => run !== null), [whole, whole]);
  }
});

Deno.test("getMany() reads all its records at one moment", async () => {
  await using test = await openTestStore();
  const { store } = test;
  const pair = [store.jobRuns.ref("a"), store.jobRuns.ref("b")] as const;
  const write = async () => {
    for (let n = 1; n <= 50; n++) {
      await store.transact((tx) => {
        tx.jobRuns.save(jobRun("a", n));
        tx.jobRuns.save(jobRun("b", n));
      });
    }
  };
  const read = async () => {
    for (let n = 1; n <= 50; n++) {
      const [a, b] = await store.getMany(pair);
      assertEquals(a?.lastSuccessMs, b?.lastSuccessMs);
    }
  };
  await Promise.all([write(), read()]);
});

Deno.test("getMany() answers in the order it was asked, counters as numbers", async () => {
  await using test = await openTestStore();
  const { store } = test;
  const today = day("2026-11-20");
  await store.transact((tx) => {
    tx.jobRuns.save(jobRun("b", 2));
    tx.bidCounts.add(5, today);
  });
  const found = await store.getMany([
    store.jobRuns.ref("b"),
    store.bidCounts.ref(today),
    store.jobRuns.ref("a"),
    store.bidCounts.ref(day("2026-11-21")),
  ]);
  assertEquals(found, [jobRun("b", 2), 5, null, 0]);
});

Deno.test("spotlightsVersion() changes when a commit touches the Spotlights", async () => {
  await using test = await openTestStore();
  const { store } = test;
  const versions = [await store.spotlightsVersion()];
  for (let n = 0; n < 2; n++) {
    // At the same moment of the clock, too.
    await store.transact((tx) => tx.touchSpotlights());
    versions.push(await store.spotlightsVersion());
  }
  await store.transact((tx) => tx.jobRuns.save(jobRun("a")));
  assertEquals(await store.spotlightsVersion(), versions[2]);
  assertEquals(versions[0], "");
  assertEquals(new Set(versions).size, 3);
});

function countCalls(): { count: number } {
  return { count: 0 };
}

/** Adds one to a number in the store, counting the runs of the function. */
async function bump(
  { store }: Pick<TestProcess, "store">,
  calls: { count: number } = countCalls(),
): Promise<void> {
  await store.transact(async (tx) => {
    calls.count += 1;
    const run = await tx.jobRuns.find("a");
    tx.jobRuns.save(jobRun("a", (run?.lastSuccessMs ?? 0) + 1));
  });
}

async function set(
  kv: TestProcess["kv"] | Awaited<ReturnType<typeof openTestStore>>["realKv"],
  key: Deno.KvKey,
  value: unknown,
): Promise<void> {
  const atomic = kv.atomic();
  atomic.set(key, value);
  await atomic.commit();
}
