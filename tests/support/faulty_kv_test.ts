import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Crash, type CrashPoint, everyCrashPoint, keyOf } from "./faults.ts";
import { openTestStore } from "./store.ts";

const here = ["here"];
const there = ["there"];

Deno.test("FaultyKv fails before the commit is applied", async () => {
  await using test = await openTestStore();
  test.kv.inject({ on: "commit", fault: { kind: "fail_before" } });
  await assertRejects(() => put(test.kv, here, 1));
  assertEquals((await test.realKv.get(here)).value, null);
  assertEquals(test.kv.commits[0]?.applied, false);
});

Deno.test("FaultyKv loses the answer of an applied commit", async () => {
  await using test = await openTestStore();
  test.kv.inject({ on: "commit", fault: { kind: "fail_after" } });
  await assertRejects(() => put(test.kv, here, 1));
  assertEquals((await test.realKv.get(here)).value, 1);
  assertEquals(test.kv.commits[0]?.applied, true);
});

Deno.test("FaultyKv meets only the calls a rule names", async () => {
  await using test = await openTestStore();
  test.kv.inject({ on: "commit", nth: 2, fault: { kind: "conflict" } });
  test.kv.inject({
    on: "read",
    key: keyOf("there"),
    times: 2,
    fault: { kind: "locked" },
  });
  assertEquals(await put(test.kv, here, 1), true);
  assertEquals(await put(test.kv, here, 2), false);
  assertEquals(await put(test.kv, here, 3), true);
  await test.kv.get(here);
  await assertRejects(() => test.kv.get(there), TypeError, "locked");
  await assertRejects(() => test.kv.list({ prefix: there }).next(), TypeError);
  await test.kv.getMany([here, there]);
});

Deno.test("FaultyKv holds a commit until it is let go", async () => {
  await using test = await openTestStore();
  const gate = Promise.withResolvers<void>();
  test.kv.inject({
    on: "commit",
    fault: { kind: "hold", until: gate.promise },
  });
  const held = put(test.kv, here, "first");
  await put(test.kv, here, "second");
  gate.resolve();
  await held;
  assertEquals((await test.realKv.get(here)).value, "first");
});

Deno.test("FaultyKv answers nothing after it has died", async () => {
  await using test = await openTestStore();
  test.kv.crashAt({ commit: 1, when: "after" });
  await assertRejects(() => put(test.kv, here, 1), Crash);
  await assertRejects(() => test.kv.get(here), Crash);
  await assertRejects(() => put(test.kv, here, 2), Crash);
  await assertRejects(() => test.kv.list({ prefix: [] }).next(), Crash);
  assertEquals((await test.another().kv.get(here)).value, 1);
});

Deno.test("FaultyKv sends a commit again whose answer was lost, and answers what that comes to", async () => {
  await using test = await openTestStore();
  const resent = { on: "commit", fault: { kind: "resent" } } as const;
  test.kv.inject(resent);
  const checked = test.kv.atomic();
  checked.check({ key: here, versionstamp: null });
  checked.set(here, 1);
  assertEquals((await checked.commit()).ok, false);
  assertEquals((await test.realKv.get(here)).value, 1);
  assertEquals(test.kv.commits[0]?.applied, true);
  test.kv.inject(resent);
  const unchecked = test.kv.atomic();
  unchecked.sum(there, 1n);
  assertEquals((await unchecked.commit()).ok, true);
  const { value } = await test.realKv.get<Deno.KvU64>(there);
  assertEquals(value?.value, 2n);
});

Deno.test("FaultyKv keeps a late commit until it arrives", async () => {
  await using test = await openTestStore();
  test.kv.inject({ on: "commit", fault: { kind: "late" }, times: 2 });
  await assertRejects(() => put(test.kv, here, "first"));
  await assertRejects(() => put(test.kv, there, "second"));
  await put(test.kv, here, "meanwhile");
  assertEquals(test.kv.commits.map(({ applied }) => applied), [
    false,
    false,
    true,
  ]);
  await test.kv.arrive();
  assertEquals((await test.realKv.get(here)).value, "first");
  assertEquals((await test.realKv.get(there)).value, "second");
  assertEquals(test.kv.commits.map(({ applied }) => applied), [
    true,
    true,
    true,
  ]);
});

Deno.test("FaultyKv loses a late commit with the process that sent it", async () => {
  await using test = await openTestStore();
  test.kv.inject({ on: "commit", fault: { kind: "late" } });
  await assertRejects(() => put(test.kv, here, 1));
  test.kv.crash();
  await test.kv.arrive();
  assertEquals((await test.realKv.get(here)).value, null);
});

Deno.test("FaultyKv refuses to plan for a read what happens to commits alone", async () => {
  await using test = await openTestStore();
  for (const kind of ["conflict", "resent", "late"] as const) {
    assertThrows(
      () => test.kv.inject({ on: "read", fault: { kind } }),
      TypeError,
      kind,
    );
  }
});

Deno.test("everyCrashPoint() dies before and after each commit", async () => {
  const died: string[] = [];
  const count = await everyCrashPoint(async (point) => {
    await using test = await openTestStore();
    test.kv.crashAt(point);
    await assertCrashOnly(async () => {
      await put(test.kv, ["row", 1], 1);
      await put(test.kv, ["row", 2], 1);
    });
    if (test.kv.dead) died.push(await describe(point, test.realKv));
    return test.kv.dead;
  });
  assertEquals(count, 4);
  assertEquals(died, [
    "1 before: 0",
    "1 after: 1",
    "2 before: 1",
    "2 after: 2",
  ]);
});

async function put(
  kv: Awaited<ReturnType<typeof openTestStore>>["kv"],
  key: Deno.KvKey,
  value: unknown,
): Promise<boolean> {
  const atomic = kv.atomic();
  atomic.set(key, value);
  return (await atomic.commit()).ok;
}

async function assertCrashOnly(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
}

async function describe(
  { commit, when }: CrashPoint,
  kv: Awaited<ReturnType<typeof openTestStore>>["realKv"],
): Promise<string> {
  let rows = 0;
  for await (const _ of kv.list({ prefix: ["row"] })) rows += 1;
  return `${commit} ${when}: ${rows}`;
}
