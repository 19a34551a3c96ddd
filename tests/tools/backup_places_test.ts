/**
 * Whose the place of continuous backups is: one store's, and what a restore
 * takes where several have written all the same.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { folderTarget } from "../../adapters/backup/folder_target.ts";
import { ConfigError } from "../../config/config.ts";
import { StoreUnavailable } from "../../domain/failure.ts";
import { backUpStore } from "../../domain/operations/back_up_store.ts";
import { Refused } from "../../domain/refusal.ts";
import { writeBackups } from "../../kv/backup_series.ts";
import { keys } from "../../kv/keys.ts";
import { restoreNewest } from "../../tools/backup_series.ts";
import {
  logged,
  type MemoryTarget,
  memoryTarget,
  put,
  restored,
  rowsOf,
  seriesOf,
} from "../support/continuous_backups.ts";
import { TEST_KEYS } from "../support/keys.ts";
import { MemoryLog } from "../support/captured_logs.ts";
import { PRODUCTION } from "../support/environments.ts";
import { runService } from "../support/running_service.ts";
import { openTestStore, type TestStore } from "../support/store.ts";

const DAY_MS = 86_400_000;

/** The job's run of a store over a place. */
function runJob(test: TestStore, target: MemoryTarget, log = new MemoryLog()) {
  const backUp = () => writeBackups(seriesOf(test, target));
  return backUpStore({ store: { ...test.store, backUp }, log });
}

const seriesIn = ({ objects }: MemoryTarget) =>
  new Set([...objects.keys()].map((name) => name.split("/")[0] ?? ""));

Deno.test("a store begins no series where another one's backups are, and goes on with its own", async () => {
  await using real = await openTestStore();
  const target = memoryTarget();
  await put(logged(real), ["a"], "real");
  await runJob(real, target);
  await using empty = await openTestStore();
  const log = new MemoryLog();
  for (let turn = 0; turn < 2; turn++) {
    await assertRejects(() => runJob(empty, target, log), StoreUnavailable);
    empty.clock.advance(90_000);
  }
  assert(log.events.includes("backup.other_store"));
  assertEquals(seriesIn(target).size, 1);
  // The right one goes on, and begins its next one.
  await put(logged(real), ["a"], "later");
  await runJob(real, target);
  real.clock.advance(DAY_MS);
  await put(logged(real), ["a"], "a day later");
  await runJob(real, target);
  assertEquals(seriesIn(target).size, 2);
  await using to = await openTestStore();
  await restored(to, target);
  assertEquals((await to.realKv.get(["a"])).value, "a day later");
});

Deno.test("a series goes on where another store has begun one behind it", async () => {
  const target = memoryTarget();
  await using real = await openTestStore();
  await runJob(real, target);
  const other = await begunElsewhere(target);
  real.clock.advance(DAY_MS);
  await put(logged(real), ["a"], "kept");
  await assertRejects(() => runJob(real, target), StoreUnavailable);
  assertEquals(seriesIn(target).size, 2, other);
  await using to = await openTestStore();
  await restored(to, target);
  assertEquals((await to.realKv.get(["a"])).value, "kept");
});

Deno.test("a store that was restored goes on in the place of its backups", async () => {
  await using from = await openTestStore();
  const target = memoryTarget();
  await put(logged(from), ["a"], 1);
  await runJob(from, target);
  await using second = await openTestStore();
  await restored(second, target);
  assertEquals(
    (await second.realKv.get(keys.storeId())).value,
    (await from.realKv.get(keys.storeId())).value,
  );
  await put(logged(second), ["a"], 2);
  await runJob(second, target);
  assertEquals(seriesIn(target).size, 2);
  await using third = await openTestStore();
  await restored(third, target);
  assertEquals(await rowsOf(third.realKv), await rowsOf(second.realKv));
});

Deno.test("a store goes on behind a series of an earlier version, which says no store, and a new one does not", async () => {
  await using from = await openTestStore();
  const target = memoryTarget();
  await runJob(from, target);
  for (const [name, bytes] of [...target.objects]) {
    target.objects.delete(name);
    target.objects.set(name.replace(/-[0-9a-f]{32}/, ""), bytes);
  }
  await using empty = await openTestStore();
  await assertRejects(() => runJob(empty, target), StoreUnavailable);
  from.clock.advance(DAY_MS);
  await runJob(from, target);
  assertEquals(
    [...seriesIn(target)].map((name) => /-[0-9a-f]{32}$/.test(name)),
    [false, true],
  );
});

Deno.test("of two stores in one place the one that was written last is restored, unless a series is named", async () => {
  const target = memoryTarget();
  await using real = await openTestStore();
  await put(logged(real), ["a"], "real");
  await runJob(real, target);
  const other = await begunElsewhere(target);
  real.clock.advance(60_000);
  await put(logged(real), ["a"], "written last");
  await runJob(real, target);

  await using to = await openTestStore();
  const lines: string[] = [];
  const tell = (line: string) => Promise.resolve(void lines.push(line));
  const into = ({ kv, clock }: TestStore) => ({ kv, clock, keys: TEST_KEYS });
  const { until } = await restoreNewest(target, into(to), { tell });
  assertEquals((await to.realKv.get(["a"])).value, "written last");
  assertEquals(lines.length, 2);
  assert(lines[0]?.endsWith(`until ${until}`), lines[0]);
  assert(/store [0-9a-f]{32}, \d+ rows .*, from 20\S+Z, /.test(lines[0] ?? ""));
  assert(lines[1]?.startsWith(other), lines[1]);

  await using named = await openTestStore();
  await restoreNewest(target, into(named), { series: other });
  assertEquals((await named.realKv.get(["a"])).value, "elsewhere");
  await using none = await openTestStore();
  await assertRejects(
    () => restoreNewest(target, into(none), { series: "s000000009" }),
    Refused,
  );
  assertEquals(none.kv.commits.length, 0);
});

Deno.test("an empty store does not start where backups of another one are", async () => {
  const folder = await Deno.makeTempDir();
  await using real = await openTestStore();
  await writeBackups(seriesOf(real, folderTarget(folder)));
  const env = { ...PRODUCTION, STRIPE_API_BASE: "", BACKUP_TO: folder };
  for (let start = 0; start < 2; start++) {
    const empty = await openTestStore();
    await assertRejects(
      () => runService({ kv: empty.kv, env }),
      ConfigError,
      "Cannot start: the store is empty and BACKUP_TO holds backups of " +
        "another store: restore them, or name another place",
    );
    assertEquals(empty.kv.commits.length, 0, "the next start sees the same");
  }
  await Deno.remove(folder, { recursive: true });
});

/** Another store's series behind the newest, as none is begun any more. */
async function begunElsewhere(target: MemoryTarget): Promise<string> {
  await using elsewhere = await openTestStore();
  await put(logged(elsewhere), ["a"], "elsewhere");
  const own = memoryTarget();
  await writeBackups(seriesOf(elsewhere, own));
  let id = "";
  for (const [name, bytes] of own.objects) {
    const behind = name.replace(/^s0*1-/, "s000000002-");
    [id = ""] = behind.split("/");
    target.objects.set(behind, bytes);
  }
  return id;
}
