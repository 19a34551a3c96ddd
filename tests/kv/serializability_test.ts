/**
 * Random transactions of several isolates over a few records, with random
 * faults, are equal to some order of whole transactions one after another.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  Contention,
  OutcomeUnknown,
  StoreUnavailable,
} from "../../domain/failure.ts";
import type { Transaction } from "../../domain/ports.ts";
import type { FaultRule } from "../support/faults.ts";
import { openTestStore, type TestStore } from "../support/store.ts";
import { day, jobRun } from "./records.ts";

const KEYS = ["k0", "k1", "k2"] as const;
const START = 100;
const today = day("2026-11-20");

/** Moves an amount from one key to another, having looked at a third. */
interface Transfer {
  isolate: number;
  from: number;
  to: number;
  looksAt: number;
  amount: number;
  /** Reads the keys one by one rather than at once. */
  oneByOne: boolean;
  pauses: number;
}

/** What the store keeps of an applied transfer: the versions it saw. */
interface Trace {
  id: number;
  read: Record<string, number>;
  wrote: readonly string[];
}

type Fate = "applied" | "not_applied" | "unknown";

const index = fc.nat({ max: KEYS.length - 1 });
const transfer: fc.Arbitrary<Transfer> = fc.record({
  isolate: fc.nat({ max: 2 }),
  from: index,
  to: index,
  looksAt: index,
  amount: fc.nat({ max: 20 }),
  oneByOne: fc.boolean(),
  pauses: fc.nat({ max: 3 }),
});
const rule: fc.Arbitrary<FaultRule> = fc.oneof(
  fc.record({
    on: fc.constant("commit" as const),
    nth: fc.integer({ min: 1, max: 12 }),
    times: fc.integer({ min: 1, max: 4 }),
    fault: fc.constantFrom(
      { kind: "fail_before" } as const,
      { kind: "fail_after" } as const,
      { kind: "conflict" } as const,
      { kind: "locked" } as const,
      { kind: "resent" } as const,
      { kind: "late" } as const,
    ),
  }),
  fc.record({
    on: fc.constant("read" as const),
    nth: fc.integer({ min: 1, max: 30 }),
    fault: fc.constantFrom(
      { kind: "fail_before" } as const,
      { kind: "locked" } as const,
    ),
  }),
);
const rules = fc.array(fc.array(rule, { maxLength: 3 }), {
  minLength: 3,
  maxLength: 3,
});

Deno.test("transact() equals some serial order, each transaction once at most", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(transfer, { minLength: 2, maxLength: 12 }),
      rules,
      async (transfers, faults) => {
        await using test = await openTestStore();
        await fill(test);
        const isolates = faults.map((each) => test.another(each));
        const fates = await Promise.all(transfers.map((each, id) => {
          const isolate = isolates[each.isolate];
          assert(isolate);
          const run = (tx: Transaction) => apply(test, tx, each, id);
          return fateOf(isolate.store.transact(run));
        }));
        for (const { kv } of isolates) await kv.arrive();
        await assertSerial(test, fates);
      },
    ),
    { numRuns: 150 },
  );
});

Deno.test("transact() loses no update of many isolates on one record", async () => {
  await using test = await openTestStore();
  await fill(test);
  const fates = await Promise.all(
    Array.from({ length: 30 }, (_, id) =>
      fateOf(
        test.another().store.transact((tx) =>
          apply(test, tx, {
            isolate: 0,
            from: 0,
            to: 0,
            looksAt: 0,
            amount: 0,
            oneByOne: false,
            pauses: id % 3,
          }, id)
        ),
      )),
  );
  assert(fates.includes("applied"));
  await assertSerial(test, fates);
});

Deno.test("transact() tells and throws only what stood at one moment", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(transfer, { minLength: 2, maxLength: 8 }),
      fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 3 })), { minLength: 3 }),
      async (transfers, audits) => {
        await using test = await openTestStore();
        await fill(test);
        const isolates = [test.another(), test.another(), test.another()];
        const moves = transfers.map((each, id) => {
          const store = isolates[each.isolate]?.store ?? test.store;
          return fateOf(store.transact((tx) => apply(test, tx, each, id)));
        });
        const totals = await Promise.all(
          audits.map(([throws, pauses]) => totalOf(test, throws, pauses)),
        );
        await Promise.all(moves);
        const told = totals.filter((total) => total !== null);
        assertEquals(told, told.map(() => START * KEYS.length));
      },
    ),
    { numRuns: 100 },
  );
});

/** What one transaction finds in all keys, read one by one; null when busy. */
async function totalOf(
  test: TestStore,
  throws: boolean,
  pauses: number,
): Promise<number | null> {
  class Found extends Error {
    constructor(readonly total: number) {
      super();
    }
  }
  try {
    return await test.store.transact(async (tx) => {
      let total = 0;
      for (const key of KEYS) {
        total += (await tx.jobRuns.find(key))?.lastSuccessMs ?? 0;
        for (let n = 0; n < pauses; n++) await test.realKv.get(["any"]);
      }
      if (throws) throw new Found(total);
      return total;
    });
  } catch (error) {
    if (error instanceof Found) return error.total;
    assert(error instanceof Contention, String(error));
    return null;
  }
}

async function fill(test: TestStore): Promise<void> {
  await test.store.transact((tx) => {
    for (const key of KEYS) tx.jobRuns.save(jobRun(key, START));
  });
}

async function apply(
  test: TestStore,
  tx: Transaction,
  transfer: Transfer,
  id: number,
): Promise<void> {
  const [from, to, looksAt] = [transfer.from, transfer.to, transfer.looksAt]
    .map((at) => KEYS[at] ?? "k0") as [string, string, string];
  const before = await readAll(tx, [from, to, looksAt], transfer.oneByOne);
  for (let n = 0; n < transfer.pauses; n++) await test.realKv.get(["any"]);
  const read: Record<string, number> = {};
  for (const name of [from, to, looksAt]) read[name] = before(name).version;
  const change = new Map([[from, -transfer.amount]]);
  change.set(to, (change.get(to) ?? 0) + transfer.amount);
  for (const [name, by] of change) {
    const { balance, version } = before(name);
    tx.jobRuns.save(versioned(name, balance + by, version + 1));
  }
  const trace: Trace = { id, read, wrote: [...change.keys()] };
  tx.jobRuns.save({ ...jobRun(`trace_${id}`), ...{ trace } });
  tx.bidCounts.add(1, today);
}

async function readAll(
  tx: Transaction,
  names: readonly string[],
  oneByOne: boolean,
): Promise<(name: string) => { balance: number; version: number }> {
  const found = oneByOne
    ? [
      await tx.jobRuns.find(names[0] ?? ""),
      ...await Promise.all(
        names.slice(1).map((name) => tx.jobRuns.find(name)),
      ),
    ]
    : await tx.getMany(names.map((name) => tx.jobRuns.ref(name)));
  return (name) => {
    const run = found[names.indexOf(name)] as
      | { lastSuccessMs: number; version?: number }
      | null
      | undefined;
    assert(run);
    return { balance: run.lastSuccessMs, version: run.version ?? 0 };
  };
}

function versioned(name: string, balance: number, version: number) {
  return { ...jobRun(name, balance), version };
}

async function fateOf(done: Promise<unknown>): Promise<Fate> {
  try {
    await done;
    return "applied";
  } catch (error) {
    if (error instanceof OutcomeUnknown) return "unknown";
    assert(
      error instanceof Contention || error instanceof StoreUnavailable,
      String(error),
    );
    return "not_applied";
  }
}

async function assertSerial(
  test: TestStore,
  fates: readonly Fate[],
): Promise<void> {
  const traces: Trace[] = [];
  for await (const { value } of test.realKv.list({ prefix: ["job_runs"] })) {
    const { trace } = value as { trace?: Trace };
    if (trace) traces.push(trace);
  }
  const applied = new Set(traces.map(({ id }) => id));
  fates.forEach((fate, id) => {
    if (fate !== "unknown") {
      assertEquals(applied.has(id), fate === "applied", `${id} is ${fate}`);
    }
  });
  await assertAtMostOnce(test, traces);
  assertAcyclic(traces);
}

/** Every applied transfer made one version of each key it wrote, and no gap. */
async function assertAtMostOnce(
  test: TestStore,
  traces: readonly Trace[],
): Promise<void> {
  let total = 0;
  for (const key of KEYS) {
    const run = await test.store.jobRuns.find(key) as
      | { lastSuccessMs: number; version?: number }
      | null;
    assert(run);
    total += run.lastSuccessMs;
    const versions = traces
      .filter(({ wrote }) => wrote.includes(key))
      .map(({ read }) => read[key] ?? -1)
      .sort((a, b) => a - b);
    assertEquals(versions, versions.map((_, at) => at), `writers of ${key}`);
    assertEquals(run.version ?? 0, versions.length, `versions of ${key}`);
  }
  assertEquals(total, START * KEYS.length);
  const [count] = await test.store.getMany([test.store.bidCounts.ref(today)]);
  assertEquals(count, traces.length);
}

/**
 * Who read version `v` of a key comes after its writer and before the writer of
 * `v + 1`. An order of all transfers exists when these have no cycle.
 */
function assertAcyclic(traces: readonly Trace[]): void {
  const left = new Set(traces);
  const comesBefore = (a: Trace, b: Trace) =>
    KEYS.some((key) => {
      const [mine, theirs] = [a.read[key], b.read[key]];
      if (mine === undefined || theirs === undefined) return false;
      if (a.wrote.includes(key) && theirs > mine) return true;
      return b.wrote.includes(key) && mine <= theirs;
    });
  while (left.size > 0) {
    const first = [...left].find((each) =>
      [...left].every((other) => other === each || !comesBefore(other, each))
    );
    assert(first, "no serial order explains what the transactions saw");
    left.delete(first);
  }
}
