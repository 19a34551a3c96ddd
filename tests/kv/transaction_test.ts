import { assert, assertEquals, assertRejects } from "@std/assert";
import { InvariantBroken } from "../../domain/invariant.ts";
import type { Ref } from "../../domain/tables.ts";
import { KvTransaction, MAX_MUTATIONS } from "../../kv/transaction.ts";
import { readManyFrom } from "../../kv/read_many.ts";
import { recordRef } from "../../kv/refs.ts";
import { keyOf } from "../support/faults.ts";
import { openTestStore, testPatience } from "../support/store.ts";
import { day, jobRun, sandboxJob } from "./records.ts";

const today = day("2026-11-20");

Deno.test("transact() commits checks of all it read and all it wrote in one step", async () => {
  await using test = await openTestStore();
  await test.store.transact(async (tx) => {
    await tx.getMany([tx.jobRuns.ref("a"), tx.jobRuns.ref("b")]);
    tx.jobRuns.save(jobRun("b"));
    tx.bidCounts.add(1, today);
    tx.bidCounts.add(2, today);
  });
  assertEquals(test.kv.commits.length, 1);
  const [commit] = test.kv.commits;
  assertEquals(commit?.checks, [["job_runs", "a"], ["job_runs", "b"]]);
  assertEquals(commit?.writes.map(({ kind }) => kind), ["set", "sum"]);
  const [count] = await test.store.getMany([test.store.bidCounts.ref(today)]);
  assertEquals(count, 3);
});

Deno.test("transact() commits nothing when nothing was written", async () => {
  await using test = await openTestStore();
  const found = await test.store.transact((tx) => tx.jobRuns.find("a"));
  assertEquals(found, null);
  assertEquals(test.kv.commits.length, 0);
});

Deno.test("transact() writes nothing when its function throws", async () => {
  await using test = await openTestStore();
  await assertRejects(() =>
    test.store.transact((tx) => {
      tx.jobRuns.save(jobRun("a"));
      throw new RangeError("no");
    }), RangeError);
  assertEquals(test.kv.commits.length, 0);
});

for (const ending of ["throws", "answers"]) {
  Deno.test(`transact() ${ending} again where its reads were of two moments`, async () => {
    await using test = await openTestStore();
    const other = test.another();
    const seen: string[] = [];
    const told = await test.store.transact(async (tx) => {
      const a = await tx.jobRuns.find("a");
      if (seen.length === 0) {
        await other.store.transact((tx) => {
          tx.jobRuns.save(jobRun("a"));
          tx.jobRuns.save(jobRun("b"));
        });
      }
      const b = await tx.jobRuns.find("b");
      seen.push(`${a?.name} ${b?.name}`);
      if (ending === "throws") throw new RangeError(seen.at(-1));
      return seen.at(-1);
    }).catch((error) => error.message);
    assertEquals(seen, ["undefined b", "a b"]);
    assertEquals(told, "a b");
    assertEquals(test.kv.commits.length, 0);
  });
}

Deno.test("transact() reads once more only what it read in several round trips", async () => {
  await using test = await openTestStore();
  const refs = ["a", "b"].map((name) => test.store.jobRuns.ref(name));
  await test.store.transact((tx) => tx.getMany(refs));
  assertEquals(test.kv.readCount, 1);
  await test.store.transact(async (tx) => {
    await tx.getMany(refs);
    await tx.jobRuns.find("a");
    await tx.peek(tx.jobRuns.ref("c"));
  });
  assertEquals(test.kv.readCount, 3);
  await test.store.transact(async (tx) => {
    await tx.jobRuns.find("a");
    await tx.jobRuns.find("b");
  });
  assertEquals(test.kv.readCount, 6);
});

Deno.test("tx.getMany() refuses the tenth tracked read at the call", async () => {
  await using test = await openTestStore();
  await test.store.transact(async (tx) => {
    const refs = Array.from({ length: 8 }, (_, n) => tx.jobRuns.ref(`${n}`));
    await tx.getMany(refs);
    await tx.jobRuns.find("8");
    // Read again, counted, peeked: none of them is another check.
    await tx.getMany(refs);
    await tx.getMany([tx.bidCounts.ref(today)]);
    await tx.peek(tx.jobRuns.ref("peeked"));
    const reads = test.kv.readCount;
    await assertRejects(
      () => tx.jobRuns.find("9"),
      InvariantBroken,
      "at most 9 reads",
    );
    assertEquals(test.kv.readCount, reads);
    tx.jobRuns.save(jobRun("1"));
  });
  assertEquals(test.kv.commits[0]?.checks.length, 9);
});

Deno.test("tx.getMany() counts reads that are under way at once", async () => {
  await using test = await openTestStore();
  await assertRejects(
    () =>
      test.store.transact((tx) =>
        Promise.all(
          Array.from({ length: 10 }, (_, n) => tx.jobRuns.find(`${n}`)),
        )
      ),
    InvariantBroken,
    "at most 9 reads",
  );
});

Deno.test("tx.getMany() refuses more than ten records in one read", async () => {
  await using test = await openTestStore();
  const refs: Ref<unknown>[] = Array.from(
    { length: 11 },
    (_, n) => test.store.bidCounts.ref(day(`2026-11-${n + 10}`)),
  );
  await assertRejects(
    () => test.store.transact((tx) => tx.getMany(refs)),
    InvariantBroken,
  );
  await assertRejects(() => test.store.getMany(refs), InvariantBroken);
  assertEquals(await test.store.getMany([]), []);
});

Deno.test("tx.getMany() answers two reads at once with what is checked", async () => {
  await using test = await openTestStore();
  await test.store.transact((tx) => tx.jobRuns.save(jobRun("a", 1)));
  const gate = Promise.withResolvers<void>();
  let calls = 0;
  const { store, kv } = test.another([
    { on: "read", nth: 2, fault: { kind: "hold", until: gate.promise } },
  ]);
  await store.transact(async (tx) => {
    calls += 1;
    const [early, late] = [tx.jobRuns.find("a"), tx.jobRuns.find("a")];
    const first = await early;
    if (calls === 1) {
      await test.store.transact((other) => other.jobRuns.save(jobRun("a", 5)));
      gate.resolve();
    }
    const second = await late;
    assertEquals(first, second);
    tx.jobRuns.save(jobRun("a", (first?.lastSuccessMs ?? 0) * 10));
  });
  // The first attempt saw 1 on both reads and lost; nothing was overwritten.
  assertEquals(calls, 2);
  assertEquals(kv.commits.map(({ applied }) => applied), [false, true]);
  assertEquals((await test.store.jobRuns.find("a"))?.lastSuccessMs, 50);
});

Deno.test("tx.getMany() asks once for a record named twice", async () => {
  await using test = await openTestStore();
  await test.store.transact((tx) => tx.jobRuns.save(jobRun("a", 7)));
  await test.store.transact(async (tx) => {
    const [a, b] = await tx.getMany([tx.jobRuns.ref("a"), tx.jobRuns.ref("a")]);
    assertEquals(a, jobRun("a", 7));
    assertEquals(b, a);
    tx.jobRuns.save(jobRun("b"));
  });
  assertEquals(test.kv.commits.at(-1)?.checks.length, 1);
});

Deno.test("tx refuses to read what it has written", async () => {
  await using test = await openTestStore();
  await test.store.transact(async (tx) => {
    tx.jobRuns.save(jobRun("a"));
    tx.bidCounts.add(1, today);
    const reads = [
      () => tx.jobRuns.find("a"),
      () => tx.peek(tx.jobRuns.ref("a")),
      () => tx.getMany([tx.bidCounts.ref(today)]),
    ];
    for (const read of reads) {
      await assertRejects(read, InvariantBroken, "before it is written");
    }
  });
  assertEquals(test.kv.readCount, 0);
});

Deno.test("tx.peek() reads without a check", async () => {
  await using test = await openTestStore();
  await test.store.transact(async (tx) => {
    assertEquals(await tx.peek(tx.jobRuns.ref("a")), null);
    tx.jobRuns.save(jobRun("b"));
  });
  assertEquals(test.kv.commits[0]?.checks, []);
});

Deno.test("tx.peek() agrees with a tracked read of the same record", async () => {
  await using test = await openTestStore();
  await test.store.transact(async (tx) => {
    await tx.jobRuns.find("a");
    const other = test.another().store;
    await other.transact((theirs) => theirs.jobRuns.save(jobRun("a")));
    assertEquals(await tx.peek(tx.jobRuns.ref("a")), null);
  });
});

Deno.test("KvTransaction refuses a sum on a tracked or a written key", async () => {
  await using test = await openTestStore();
  const tx = new KvTransaction(readManyFrom(test.kv, testPatience()), () => 0);
  await tx.get(recordRef(["tracked"]));
  assertThrowsInvariant(() => tx.sum(["tracked"], 1), "never tracked");
  tx.set(["written"], 1);
  assertThrowsInvariant(() => tx.sum(["written"], 1), "never written");
  tx.sum(["summed"], 1);
  assertThrowsInvariant(() => tx.set(["summed"], 1), "never written");
  assertThrowsInvariant(() => tx.delete(["summed"]), "never written");
  await assertRejects(() => tx.get(recordRef(["summed"])), InvariantBroken);
});

Deno.test("tx.bidCounts.add() takes whole numbers only", async () => {
  await using test = await openTestStore();
  await test.store.transact((tx) => {
    for (const count of [-0.5, 0.5, NaN, Infinity]) {
      assertThrowsInvariant(() => tx.bidCounts.add(count, today), "whole");
    }
  });
});

Deno.test("tx.bidCounts.add() takes away what was added, beside others who add", async () => {
  await using test = await openTestStore();
  const { store } = test;
  await store.transact((tx) => tx.bidCounts.add(3, today));
  await Promise.all(
    [-1, 1, -1].map((count) =>
      store.transact((tx) => tx.bidCounts.add(count, today))
    ),
  );
  assertEquals(await store.getMany([store.bidCounts.ref(today)]), [2]);
  await store.transact((tx) => {
    tx.bidCounts.add(-3, today);
    tx.bidCounts.add(1, today);
  });
  assertEquals(await store.getMany([store.bidCounts.ref(today)]), [0]);
});

Deno.test("tx refuses more mutations than one commit carries", async () => {
  await using test = await openTestStore();
  await assertRejects(
    () =>
      test.store.transact((tx) => {
        for (let n = 0; n <= MAX_MUTATIONS; n++) {
          tx.jobRuns.save(jobRun(`${n}`));
        }
      }),
    InvariantBroken,
    "mutations",
  );
});

Deno.test("tx refuses to be used after its function has returned", async () => {
  await using test = await openTestStore();
  const outside = await test.store.transact((tx) => {
    tx.jobRuns.save(jobRun("a"));
    // In an object, since a transaction is no promise but may look like one.
    return { tx };
  });
  assertThrowsInvariant(() => outside.tx.jobRuns.save(jobRun("b")), "runs");
  await assertRejects(() => outside.tx.jobRuns.find("b"), InvariantBroken);
});

Deno.test("an expired record reads as none though it is still stored", async () => {
  await using test = await openTestStore();
  const { store, clock, kv } = test;
  const expiresAtMs = clock.now() + 1_000;
  await store.transact((tx) =>
    tx.sandboxJobs.save(sandboxJob("j", expiresAtMs))
  );
  clock.advance(999);
  assert(await store.sandboxJobs.find("j"));
  clock.advance(1);
  assertEquals(await store.sandboxJobs.find("j"), null);
  await store.transact(async (tx) => {
    assertEquals(await tx.sandboxJobs.find("j"), null);
    assertEquals(await tx.peek(tx.sandboxJobs.ref("j")), null);
    tx.sandboxJobs.save(sandboxJob("j", expiresAtMs + 5_000));
  });
  // What was read was checked as it lies in the store, so it was no conflict.
  assertEquals(kv.commits.length, 2);
  assert(await store.sandboxJobs.find("j"));
});

Deno.test("a record that never expires may say so with null", async () => {
  await using test = await openTestStore();
  const atomic = test.realKv.atomic();
  atomic.set(["job_runs", "a"], { ...jobRun("a"), expiresAtMs: null });
  await atomic.commit();
  assert(await test.store.jobRuns.find("a"));
});

Deno.test("a saved record is kept until its own expiresAtMs", async () => {
  await using test = await openTestStore();
  const { store, clock, kv } = test;
  const saveUntil = (expiresAtMs: number) =>
    store.transact((tx) => tx.sandboxJobs.save(sandboxJob("j", expiresAtMs)));
  await saveUntil(clock.now() + 1_500.2);
  await saveUntil(clock.now() - 1);
  await store.transact((tx) => tx.jobRuns.save(jobRun("a")));
  assertEquals(
    kv.commits.map(({ writes }) => writes[0]?.options),
    [{ expireIn: 1_501 }, { expireIn: 1 }, {}],
  );
});

Deno.test("an id that no record can have names nothing and is not asked for", async () => {
  await using test = await openTestStore();
  const { store, kv } = test;
  const impossible = ["x".repeat(3_000), "é".repeat(1_100), "\ud800"];
  for (const id of impossible) {
    assertEquals(await store.bidPlaces.find(id), null);
    await store.transact(async (tx) => {
      assertEquals(await tx.bidPlaces.find(id), null);
      assertThrowsInvariant(() => tx.jobRuns.save(jobRun(id)), "well-formed");
      tx.jobRuns.save(jobRun("a"));
    });
    assertEquals(await store.listBidEvents(id, { limit: 1 }), []);
  }
  assertEquals(kv.readCount, 0);
});

Deno.test("a key of exactly the longest size is written and read", async () => {
  await using test = await openTestStore();
  const { store, kv } = test;
  // 2,048 bytes less the family (10) and this part's type and end (2).
  const longest = "\0é€x".repeat(1) + "x".repeat(2_048 - 10 - 2 - 8);
  await store.transact((tx) => tx.jobRuns.save(jobRun(longest, 3)));
  assertEquals((await store.jobRuns.find(longest))?.lastSuccessMs, 3);
  assertEquals(await store.jobRuns.find(longest + "x"), null);
  assert(
    kv.commits.every(({ writes }) => keyOf("job_runs")(writes[0]?.key ?? [])),
  );
});

function assertThrowsInvariant(run: () => void, includes: string): void {
  try {
    run();
  } catch (error) {
    assert(error instanceof InvariantBroken, String(error));
    assert(error.message.includes(includes), error.message);
    return;
  }
  throw new Error("The invariant holds where it should be broken");
}
