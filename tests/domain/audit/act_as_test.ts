import { assertEquals, assertRejects } from "@std/assert";
import { actAs, type ActOrder } from "../../../domain/audit/act_as.ts";
import type { OperatorAct } from "../../../domain/audit/operator_act.ts";
import type { Store } from "../../../domain/ports.ts";
import { jobRun } from "../../kv/records.ts";
import { openTestStore } from "../../support/store.ts";

const ORDER: ActOrder = {
  by: { kind: "key", name: "night shift" },
  act: "account.suspend",
  subject: "acc_1",
  reason: "Why.",
};

const ALL = { subject: null, person: null, fromMs: 0, untilMs: 4e12 };

async function linesOf(store: Store): Promise<OperatorAct[]> {
  return await store.listOperatorActs(ALL, { limit: 10, before: null });
}

Deno.test("actAs() writes the act's line in the first commit that changes something", async () => {
  await using test = await openTestStore();
  const { store, clock } = test;
  const commits = test.kv.commits.length;
  const atMs = clock.now();
  await actAs(test, ORDER, async ({ store }) => {
    await store.transact((tx) => tx.jobRuns.find("a"));
    clock.advance(5_000);
    await store.transact((tx) => tx.jobRuns.save(jobRun("a")));
    await store.transact((tx) => tx.jobRuns.save(jobRun("b")));
  });
  assertEquals(test.kv.commits.length - commits, 2);
  const [line, ...others] = await linesOf(store);
  assertEquals(others, []);
  assertEquals(line, {
    id: line?.id ?? "",
    atMs,
    by: { kind: "key", name: "night shift" },
    act: "account.suspend",
    subject: "acc_1",
    reason: "Why.",
    change: null,
  });
});

Deno.test("actAs() leaves no line of what was refused before it changed anything", async () => {
  await using test = await openTestStore();
  await assertRejects(() =>
    actAs(test, ORDER, ({ store }) =>
      store.transact((tx) => {
        tx.jobRuns.save(jobRun("a"));
        throw new Error("no");
      }))
  );
  assertEquals(await linesOf(test.store), []);
  assertEquals(await test.store.jobRuns.find("a"), null);
});

Deno.test("actAs() keeps the line of what was changed before something else failed", async () => {
  await using test = await openTestStore();
  await assertRejects(() =>
    actAs(test, ORDER, async ({ store }) => {
      await store.transact((tx) => tx.jobRuns.save(jobRun("a")));
      throw new Error("the processor is away");
    })
  );
  assertEquals((await linesOf(test.store)).length, 1);
});

Deno.test("actAs() leaves a line of an act that found nothing to change", async () => {
  await using test = await openTestStore();
  const found = await actAs(
    test,
    ORDER,
    ({ store }) => store.transact((tx) => tx.jobRuns.find("a")),
  );
  assertEquals(found, null);
  assertEquals((await linesOf(test.store)).length, 1);
});

Deno.test("actAs() writes one line when its commit loses a race", async () => {
  await using test = await openTestStore();
  let races = 1;
  await actAs(test, ORDER, ({ store }) =>
    store.transact(async (tx) => {
      const run = await tx.jobRuns.find("a");
      if (races-- > 0) {
        await test.store.transact((other) => other.jobRuns.save(jobRun("a")));
      }
      const lastSuccessMs = (run?.lastSuccessMs ?? 0) + 1;
      tx.noteChange({ before: {}, after: { lastSuccessMs } });
      tx.jobRuns.save(jobRun("a", lastSuccessMs));
    }));
  const lines = await linesOf(test.store);
  assertEquals(lines.map(({ change }) => change), [
    { before: {}, after: { lastSuccessMs: 1 } },
  ]);
});

Deno.test("actAs() adds to its line what a later commit says it changed", async () => {
  await using test = await openTestStore();
  await actAs(test, ORDER, async ({ store }) => {
    await store.transact((tx) => tx.jobRuns.save(jobRun("a")));
    await store.transact((tx) => {
      tx.jobRuns.save(jobRun("b"));
      tx.noteChange({ before: { held: true }, after: { held: false } });
    });
  });
  const [line, ...others] = await linesOf(test.store);
  assertEquals(others, []);
  assertEquals(line?.change, {
    before: { held: true },
    after: { held: false },
  });
});

Deno.test("a line of the audit is bounded, whatever it is told", async () => {
  await using test = await openTestStore();
  const long = "x".repeat(5_000);
  const facts = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`fact_${at}`, long]),
  );
  await actAs(
    test,
    { ...ORDER, reason: long },
    ({ store }) =>
      store.transact((tx) => {
        tx.jobRuns.save(jobRun("a"));
        tx.noteChange({ before: facts, after: facts });
      }),
  );
  const [line] = await linesOf(test.store);
  assertEquals(line?.reason?.length, 500);
  const values = Object.values(line?.change?.after ?? {});
  assertEquals(values.length, 12);
  assertEquals(new Set(values), new Set(["x".repeat(500)]));
});

Deno.test("a crash leaves an act and its line, or neither", async () => {
  await using test = await openTestStore();
  for (const when of ["before", "after"] as const) {
    const store: Store = {
      ...test.store,
      async transact(run) {
        if (when === "before") throw new Error("crash");
        await test.store.transact(run);
        throw new Error("crash");
      },
    };
    await assertRejects(() =>
      actAs(
        { ...test, store },
        ORDER,
        (acting) =>
          acting.store.transact((tx) => tx.jobRuns.save(jobRun(when))),
      )
    );
    const stands = await test.store.jobRuns.find(when) !== null;
    const lines = await linesOf(test.store);
    assertEquals(
      [stands, lines.length],
      when === "before" ? [false, 0] : [true, 1],
    );
  }
});
