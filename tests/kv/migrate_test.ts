/**
 * A store comes to the version of the service once, step by step, whoever dies
 * or begins at the same moment, and a newer one is not run over.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { migrate, type MigrateOptions } from "../../kv/migrate.ts";
import { type Migration, MIGRATIONS } from "../../kv/migrations.ts";
import { readPage } from "../../kv/pages.ts";
import {
  checkSchema,
  readSchema,
  SCHEMA_VERSION,
  type SchemaRow,
  SchemaTooNew,
} from "../../kv/schema.ts";
import { everyCrashPoint } from "../support/faults.ts";
import {
  openTestStore,
  testPatience,
  type TestProcess,
  type TestStore,
} from "../support/store.ts";
import { account, jobRun } from "./records.ts";

const RUNS = 23;
const STEP = 5;

/** Raises the number of every job run once: twice would show. */
const RAISE: Migration = {
  to: 2,
  readableFrom: 1,
  async step({ kv, store, patience }, cursor) {
    const range = { prefix: ["job_runs"] };
    const page = await readPage({ kv, patience }, range, {
      limit: STEP,
      cursor,
    });
    for (const { key } of page.entries) {
      await store.transact(async (tx) => {
        const run = await tx.jobRuns.find(String(key[1]));
        if (run === null || run.firstFailureMs === 2) return;
        tx.jobRuns.save({
          ...run,
          lastSuccessMs: run.lastSuccessMs + 1,
          firstFailureMs: 2,
        });
      });
    }
    return page.cursor;
  },
};

function optionsOf(
  { kv, store }: Pick<TestProcess, "kv" | "store">,
  { clock }: TestStore,
  more: Partial<MigrateOptions> = {},
): MigrateOptions {
  return {
    kv,
    store,
    clock,
    patience: testPatience(),
    migrations: [RAISE],
    untilMs: Infinity,
    ...more,
  };
}

async function openFilled(): Promise<TestStore> {
  const test = await openTestStore();
  await test.store.transact((tx) => {
    // Without one that is worth a backup a store counts as empty.
    tx.accounts.save(account("acc", "a@x.example"));
    for (let n = 0; n < RUNS; n++) tx.jobRuns.save(jobRun(`job ${n}`, n));
  });
  return test;
}

/** Asserts that every row was raised exactly once. */
async function assertRaised({ realKv, store }: TestStore): Promise<void> {
  for (let n = 0; n < RUNS; n++) {
    assertEquals((await store.jobRuns.find(`job ${n}`))?.lastSuccessMs, n + 1);
  }
  const { row } = await readSchema(realKv);
  assertEquals(row, { version: 2, readableFrom: 1, migration: null });
}

Deno.test("an empty store is of the service's version from its first start on", async () => {
  await using test = await openTestStore();
  await Promise.all([checkSchema(test.kv), checkSchema(test.another().kv)]);
  const { row } = await readSchema(test.realKv);
  assertEquals([row.version, row.readableFrom], [SCHEMA_VERSION, 1]);
  const run = await test.store.migrate(Infinity);
  assertEquals(run, { version: SCHEMA_VERSION, state: "done" });
});

Deno.test("a store that does not say its version is of the first, and is migrated", async () => {
  await using test = await openFilled();
  await checkSchema(test.kv);
  assertEquals((await readSchema(test.realKv)).row.version, 1);
  const run = await migrate(optionsOf(test, test));
  assertEquals(run, { version: 2, state: "done" });
  await assertRaised(test);
});

Deno.test("a store that this version cannot read is not run over", async () => {
  await using test = await openTestStore();
  const row: SchemaRow = {
    version: SCHEMA_VERSION,
    readableFrom: SCHEMA_VERSION + 1,
    migration: { to: SCHEMA_VERSION + 1, cursor: null, leaseUntilMs: 0 },
  };
  await write(test, row);
  await assertRejects(
    () => checkSchema(test.kv),
    SchemaTooNew,
    "newer version",
  );
});

Deno.test("a later version that this one can read runs beside it", async () => {
  await using test = await openTestStore();
  await write(test, {
    version: SCHEMA_VERSION + 1,
    readableFrom: SCHEMA_VERSION,
    migration: null,
  });
  await checkSchema(test.kv);
  const run = await test.store.migrate(Infinity);
  assertEquals(run, { version: SCHEMA_VERSION + 1, state: "done" });
});

Deno.test("a migration goes on after a crash at each of its commits, by another process", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using test = await openFilled();
    test.kv.crashAt({ ...point, commit: point.commit + 1 });
    await migrate(optionsOf(test, test)).catch(() => {});
    if (!test.kv.dead) return false;
    const other = optionsOf(test.another(), test);
    const waiting = await migrate(other);
    assert(waiting.state === "elsewhere" || waiting.state === "done");
    test.clock.advance(61_000);
    assertEquals((await migrate(other)).state, "done");
    await assertRaised({ ...test, ...test.another() });
    return true;
  });
  assert(points > RUNS);
});

Deno.test("two processes migrate a store once between them", async () => {
  await using test = await openFilled();
  const processes = [test, test.another(), test.another()];
  const runs = await Promise.all(
    processes.map((each) => migrate(optionsOf(each, test))),
  );
  assert(runs.some(({ state }) => state === "done"));
  await assertRaised(test);
});

Deno.test("a run ends in its time, and the next goes on where it was", async () => {
  await using test = await openFilled();
  const seen: (string | null)[] = [];
  const noting: Migration = {
    ...RAISE,
    step(parts, cursor) {
      seen.push(cursor);
      test.clock.advance(1_000);
      return RAISE.step(parts, cursor);
    },
  };
  const states: string[] = [];
  do {
    const untilMs = test.clock.now() + 2_000;
    const migrations = [noting];
    const run = await migrate(optionsOf(test, test, { untilMs, migrations }));
    states.push(run.state);
  } while (states.at(-1) !== "done");
  assertEquals(states, ["unfinished", "unfinished", "done"]);
  assertEquals(new Set(seen).size, seen.length);
  await assertRaised(test);
});

Deno.test("a process that lost its lease while it slept stops at the next step", async () => {
  await using test = await openFilled();
  const other = test.another();
  let steps = 0;
  const sleepy: Migration = {
    ...RAISE,
    async step(parts, cursor) {
      steps += 1;
      test.clock.advance(61_000);
      await migrate(optionsOf(other, test));
      return await RAISE.step(parts, cursor);
    },
  };
  const run = await migrate(optionsOf(test, test, { migrations: [sleepy] }));
  assertEquals([run.state, steps], ["elsewhere", 1]);
  await assertRaised(test);
});

Deno.test("of migrations in a row that do the same one is done for all", async () => {
  await using test = await openFilled();
  const done: string[] = [];
  const noting = (name: string): Migration["step"] => () => {
    done.push(name);
    return Promise.resolve(null);
  };
  const [index, shape] = [noting("index"), noting("shape")];
  const migrations = [index, index, shape, index].map((step, at) => (
    { to: at + 2, readableFrom: at === 0 ? 2 : 1, step }
  ));
  const some = migrations.slice(0, 2);
  await migrate(optionsOf(test, test, { migrations: some }));
  const { row } = await readSchema(test.realKv);
  assertEquals([done, row.version, row.readableFrom], [["index"], 3, 2]);
  await migrate(optionsOf(test, test, { migrations }));
  assertEquals(done, ["index", "shape", "index"]);
  assertEquals((await readSchema(test.realKv)).row.version, 5);
});

Deno.test("a store of few rows is migrated at once, and no step takes more than its share of many", async () => {
  await using test = await openFilled();
  const patience = testPatience();
  const options = { migrations: MIGRATIONS, patience };
  const ended = await migrate(optionsOf(test, test, options));
  assertEquals(ended, { version: SCHEMA_VERSION, state: "done" });
  assert(patience.nowMs() <= 2_000, `paused for ${patience.nowMs()} ms`);

  for (let n = 0; n < 250; n++) {
    await test.store.transact((tx) =>
      tx.accounts.save(account(`acc_${n}`, `a${n}@x.example`))
    );
  }
  const indexes = MIGRATIONS.find(({ to }) => to === 3);
  assert(indexes !== undefined);
  let withinFamilies = 0;
  let cursor: string | null = null;
  do {
    cursor = await indexes.step(optionsOf(test, test), cursor);
    if (cursor !== null && JSON.parse(cursor).cursor !== null) withinFamilies++;
  } while (cursor !== null);
  // Of 251 accounts, and of as many rows of their addresses, two each.
  assert(withinFamilies >= 4, `only ${withinFamilies} steps ended on the way`);
});

Deno.test("migrations follow each other, and leave the version before room to run on", () => {
  const { length } = MIGRATIONS;
  assertEquals(
    MIGRATIONS.map(({ to }) => to),
    Array.from({ length }, (_, at) => at + 2),
  );
  assertEquals(MIGRATIONS.at(-1)?.to, SCHEMA_VERSION);
  for (const { to, readableFrom } of MIGRATIONS) assert(readableFrom < to);
});

async function write({ realKv }: TestStore, row: SchemaRow): Promise<void> {
  const atomic = realKv.atomic();
  atomic.set(["schema"], row);
  await atomic.commit();
}
